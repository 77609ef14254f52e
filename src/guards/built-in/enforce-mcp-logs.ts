import type { Action } from '../action.ts';
import type { Guard } from '../guard.ts';
import type { RealPath } from '../real-path.ts';

/** Programs that print whole files. */
const WHOLE: ReadonlySet<string> = new Set(['cat', 'less', 'more', 'bat', 'tac', 'nl', '<']);
/** Programs that print only a part of their input. */
const NARROWING: ReadonlySet<string> = new Set([
  'head',
  'tail',
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'zgrep',
  'awk',
  'sed',
  'cut',
  'jq',
  'wc',
  'uniq',
]);

export const enforceMcpLogs: Guard = {
  id: 'enforce-mcp-logs',
  summary: 'Agents query logs instead of reading them whole.',
  origin: 'built-in',
  mode: 'warn',
  drivenOnly: true,
  kinds: ['read', 'command'],
  expires: undefined,
  judge(action) {
    const log = wholeLog(action);
    return (
      log && {
        decision: 'warn',
        reason: `This reads all of ${log.inProject ?? log.given}; most of a log is noise.`,
        guidance: 'Search it with the `query_logs` tool, or read a part of it with tail or grep.',
      }
    );
  },
};

function wholeLog(action: Action): RealPath | undefined {
  if (action.kind === 'read') return action.whole ? action.files.find(isLog) : undefined;
  if (action.kind !== 'command') return undefined;
  if (action.analysis.invocations.some(({ program }) => NARROWING.has(program))) return undefined;
  return action.reaches.find(({ file, mode, by }) => mode === 'read' && WHOLE.has(by) && isLog(file))?.file;
}

function isLog({ real }: RealPath): boolean {
  return real.endsWith('.log');
}
