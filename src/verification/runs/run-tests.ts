import type { VerifyConfig } from '../../config/verify-config.ts';
import type { Evidence } from '../../domain/evidence.ts';
import type { TestRun } from '../facts.ts';
import { removeFromRoom } from '../rooms/remove-from-room.ts';
import { instrumentCommand } from '../runners/instrument-command.ts';
import { readTestResults, saveTestResults } from './evidence-files.ts';
import { RunnerListener } from './listen-to-runners.ts';
import { evidenceOn, recordEvidence } from './record-evidence.ts';
import type { RunContext, RunTree } from './run-context.ts';
import { type RoomRun, runInRoom } from './run-in-room.ts';

const DEFAULT_TIMEOUT_S = 30 * 60;

type TestsConfig = NonNullable<VerifyConfig['tests']>;

/** Runs the project's tests on the tree that is in the room; `afterwards` sees the room as they left it. */
export function runTests(
  context: RunContext,
  { command, timeout = DEFAULT_TIMEOUT_S, report }: TestsConfig,
  on: RunTree,
  afterwards: (run: RoomRun) => void = () => {},
): Promise<TestRun> {
  const listener = new RunnerListener();
  // One that lies in the tree, or was left by another run, is not this run's.
  if (report !== undefined) removeFromRoom(context.room, report);
  return runInRoom(
    context,
    {
      check: 'tests',
      command,
      started: instrumentCommand(command),
      timeoutMs: timeout * 1000,
      on,
      env: (runFolder, base) => listener.environment(runFolder, base),
    },
    async (run) => {
      const { results, faults, runners } = await listener.read(run, context.room.folder, report);
      const tests = saveTestResults(context, run.evidence.id, results, faults, runners);
      afterwards(run);
      return { evidence: recordEvidence(context, { ...run.evidence, tests }), results, faults };
    },
  );
}

/** An earlier run of the same command on the same tree that came to an end. */
export function findTestRun(
  context: RunContext,
  { command }: TestsConfig,
  { tree, is }: RunTree,
): TestRun | undefined {
  const evidence = findRun(evidenceOn(context.ledger, context.project, tree), command, is);
  const results = evidence && readTestResults(context, evidence);
  if (!evidence?.tests || !results) return undefined;
  context.emit({ type: 'run_reused', check: 'tests', on: is, evidence });
  return { evidence, results, faults: evidence.tests.faults.map((message) => ({ message })) };
}

function findRun(recorded: Iterable<Evidence>, command: string, is: RunTree['is']): Evidence | undefined {
  for (const one of recorded) {
    const isRun = one.check === 'tests' && !one.manual && one.tree_is === is && one.command === command;
    if (isRun && !one.timed_out && one.signal === null) return one;
  }
  return undefined;
}
