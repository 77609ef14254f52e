import { GuardKitError } from '../../../guardkit-error.ts';
import { compareTurns, findTurn, type TurnComparison } from '../../../orchestration/history/compare-turns.ts';
import { builtTasks, findBuilt, readHistory } from '../../../orchestration/history/read-history.ts';
import { type TimelineTurn, taskTimeline } from '../../../orchestration/history/task-timeline.ts';
import type { Repository } from '../../../platform/git/repository.ts';
import { oneLine } from '../output/printable.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { openHistory } from './open-history.ts';

interface FileChange {
  path: string;
  /** Null for a file that is not text. */
  added: number | null;
  removed: number | null;
}

export async function runTurnsDiff(
  context: CliContext,
  names: readonly string[],
  taskOption: string | undefined,
): Promise<Report> {
  const [own, first, second] = names.length === 3 ? names : [undefined, ...names];
  if (first === undefined || second === undefined) throw twoTurns();
  const task = own ?? taskOption;
  const { ledger, project, repository } = await openHistory(context);
  const built = task === undefined ? builtTasks(ledger, project) : findBuilt(ledger, project, task);
  const turns = readHistory(ledger, project, built).flatMap(taskTimeline);
  const from = findTurn(turns, first);
  const to = findTurn(turns, second);
  const comparison = compareTurns(from, to);
  const commits = { from: await commitOf(repository, from), to: await commitOf(repository, to) };
  const files = commits.from && commits.to ? await filesBetween(repository, commits.from, commits.to) : null;
  return {
    json: { from: from.id, to: to.id, commits, files, ...comparison },
    text: describe(from, to, commits, files, comparison, context.width),
  };
}

/** The turn's ref, or the commit in the ledger if the ref was pruned. */
async function commitOf(repository: Repository, { turn, commit }: TimelineTurn): Promise<string | null> {
  const ref = `refs/guardkit/${turn.feature_id}/${turn.task_id}/T${turn.turn_number}`;
  return (await repository.commit(ref)) ?? (commit && (await repository.commit(commit))) ?? null;
}

async function filesBetween(repository: Repository, from: string, to: string): Promise<FileChange[]> {
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--numstat',
    from,
    to,
  ];
  const count = (text: string | undefined) => (text === undefined || text === '-' ? null : Number(text));
  return (await repository.run(args))
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const [added, removed, ...path] = record.split('\t');
      return { path: path.join('\t'), added: count(added), removed: count(removed) };
    });
}

function describe(
  from: TimelineTurn,
  to: TimelineTurn,
  commits: { from: string | null; to: string | null },
  files: FileChange[] | null,
  { criteria, gates, figures, feedback }: TurnComparison,
  width: number,
): string {
  const moved = (one: { id: string; from: unknown; to: unknown }) =>
    `  ${oneLine(one.id, 60)}: ${one.from ?? 'unknown'} → ${one.to ?? 'unknown'}`;
  const section = (heading: string, lines: readonly string[], none: string) =>
    lines.length > 0 ? [`${heading}:`, ...lines] : [`${heading}: ${none}`];
  return [
    `${from.id} (${from.turn.coach_decision ?? 'no verdict'}) → ${to.id} (${to.turn.coach_decision ?? 'no verdict'})`,
    ...(files
      ? section('Files', files.map(fileLine), 'none changed')
      : ['Files: one of the commits is not in this repository.']),
    ...section('Criteria', criteria.map(moved), 'unchanged'),
    ...section(
      'Gates',
      gates.map((gate) => `${moved(gate)}${gate.reason ? `, ${oneLine(gate.reason, width)}` : ''}`),
      'unchanged',
    ),
    ...section('Figures', figures.map(moved), 'unchanged'),
    ...(feedback.same
      ? [`Feedback: the same in both: ${oneLine(feedback.to ?? '', width)}`]
      : [
          'Feedback:',
          `  before: ${oneLine(feedback.from ?? 'none', width)}`,
          `  after:  ${oneLine(feedback.to ?? 'none', width)}`,
        ]),
    ...(files && files.length > 0
      ? [`Full diff: git diff ${commits.from?.slice(0, 12)} ${commits.to?.slice(0, 12)}`]
      : []),
  ].join('\n');
}

function fileLine({ path, added, removed }: FileChange): string {
  const counts = added === null || removed === null ? 'not text' : `+${added} -${removed}`;
  return `  ${oneLine(path, 300)}  ${counts}`;
}

function twoTurns(): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: 'Expected two turns.',
    hint: 'For example `guardkit turns diff TASK-001 1 2`; `guardkit turns TASK-001` lists them.',
  });
}
