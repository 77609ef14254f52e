import type { Action } from '../action.ts';
import type { Guard } from '../guard.ts';
import type { RealPath } from '../real-path.ts';

const GRAPH = '.maestro/knowledge.dot';

export const architectureByTool: Guard = {
  id: 'architecture-by-tool',
  summary: 'The architecture graph is changed by its tool rather than by hand.',
  origin: 'built-in',
  mode: 'warn',
  drivenOnly: false,
  kinds: ['edit', 'command'],
  expires: undefined,
  judge(action) {
    if (!editsGraph(action)) return undefined;
    return {
      decision: 'warn',
      reason: `This edits ${GRAPH} by hand; mistakes show up only at verification.`,
      guidance:
        'Use the `knowledge_update` tool or `guardkit knowledge update`, which reject invalid changes. After an edit by hand, run `guardkit knowledge validate`.',
    };
  },
};

function editsGraph(action: Action): boolean {
  if (action.kind === 'edit') return action.files.some(({ file }) => isGraph(file));
  if (action.kind !== 'command') return false;
  return action.reaches.some(
    // Git restores a committed version, which is not an edit by hand.
    ({ file, mode, by }) => (mode === 'write' || mode === 'delete') && by !== 'git' && isGraph(file),
  );
}

function isGraph({ inProject }: RealPath): boolean {
  return inProject === GRAPH;
}
