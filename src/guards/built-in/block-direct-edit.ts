import type { Action } from '../action.ts';
import type { Guard } from '../guard.ts';
import type { RealPath } from '../real-path.ts';

/** The orchestrating agent's notes, and files that commands generate. */
const OWN =
  /^\.claude\/|^\.guardkit\/logs\/|(?:^|\/)(?:tmp|temp|coverage|dist|build|node_modules)\/|\.(?:log|tmp|out)$/;

/** Programs that change files as part of their work, not with content given by the agent. */
const AT_WORK: ReadonlySet<string> = new Set(['git', 'mkdir', 'touch', 'mktemp', 'guardkit', 'npm', 'tar']);

export const blockDirectEdit: Guard = {
  id: 'block-direct-edit',
  summary: 'In a driven session the orchestrating agent delegates and does not edit sources itself.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: true,
  kinds: ['edit', 'command'],
  expires: undefined,
  judge(action) {
    if (action.actor.type !== undefined) return undefined;
    const file = editedSource(action);
    return (
      file && {
        decision: 'deny',
        reason: `The orchestrating agent must not edit sources, and this changes ${file.inProject}.`,
        guidance:
          'Start the coding agent with a description of the change; it writes the code and the tests.',
      }
    );
  },
};

function editedSource(action: Action): RealPath | undefined {
  if (action.kind === 'edit') return action.files.map(({ file }) => file).find(isSource);
  if (action.kind !== 'command') return undefined;
  return action.reaches.find(
    ({ file, mode, by }) => (mode === 'write' || mode === 'delete') && !AT_WORK.has(by) && isSource(file),
  )?.file;
}

/** Protected files have a guard of their own. */
function isSource({ inProject, protectedAs }: RealPath): boolean {
  return inProject !== undefined && inProject !== '' && protectedAs === undefined && !OWN.test(inProject);
}
