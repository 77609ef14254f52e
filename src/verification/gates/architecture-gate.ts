import { GRAPH_PATH } from '../../architecture/file/graph-file.ts';
import { formatGraphFault, type GraphFault } from '../../architecture/validation/graph-fault.ts';
import { type ChangeJudgement, judgeChange } from '../../architecture/validation/judge-change.ts';
import type { ArchitectureFacts } from '../architecture-facts.ts';
import type { Gate, Judgement } from './gate.ts';

/** The length of a reason that a prompt shows, so that a fault is shown whole or counted. */
const LONGEST_LIST = 420;
const HOW_TO_SEE_ALL = '`guardkit knowledge validate --changed` lists them all';

/** A changed architecture graph is readable and has no fault that its base does not have. */
export const architectureGate: Gate = {
  name: 'architecture',
  judge({ architecture }) {
    if (!architecture.read) {
      const result = architecture.because === 'candidate' ? 'fail' : 'absent';
      return { result, required: true, reason: architecture.why };
    }
    const judged = judgeFacts(architecture);
    if (judged.verdict === 'skipped') return { result: 'absent', required: false, reason: judged.why };
    return {
      result: judged.verdict,
      required: true,
      reason: judged.faults.length === 0 ? judged.why : `${judged.why}: ${listed(judged.faults)}`,
      warnings: remarks(judged),
    };
  },
};

function judgeFacts({
  change,
  schema,
  missingPaths,
}: Extract<ArchitectureFacts, { read: true }>): Pick<
  ChangeJudgement,
  'verdict' | 'why' | 'faults' | 'remaining' | 'warnings'
> {
  const judged = judgeChange(change, schema, { missingPaths });
  // Git output is decoded as UTF-8; invalid bytes become U+FFFD. The graph commands refuse such a file.
  const damaged = change.after?.includes('\uFFFD') && !change.before?.includes('\uFFFD');
  if (judged.verdict !== 'pass' || !damaged) return judged;
  return { ...judged, verdict: 'fail', why: `${GRAPH_PATH} is not valid UTF-8; save it as UTF-8` };
}

/** As many faults as fit, each with its position, the value found and the nearest legal value. */
function listed(faults: readonly GraphFault[]): string {
  const shown: string[] = [];
  let room = LONGEST_LIST;
  for (const fault of faults) {
    const line = formatGraphFault(GRAPH_PATH, fault);
    room -= line.length + 2;
    if (room < 0 && shown.length > 0) break;
    shown.push(line);
  }
  const rest = faults.length - shown.length;
  return rest === 0 ? shown.join('; ') : `${shown.join('; ')}; and ${rest} more: ${HOW_TO_SEE_ALL}`;
}

function remarks({ remaining, warnings }: Pick<ChangeJudgement, 'remaining' | 'warnings'>): string[] {
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  return [
    ...(remaining.length > 0 ? [`${count(remaining.length, 'error')} already on the base remain`] : []),
    ...(warnings.length > 0
      ? [`${count(warnings.length, 'warning')} in the graph: \`guardkit knowledge validate\` lists them`]
      : []),
  ] satisfies Judgement['warnings'];
}
