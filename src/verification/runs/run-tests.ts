import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { Evidence } from '../../domain/entities/evidence.ts';
import { canonicalJson, sha256 } from '../../domain/json/json.ts';
import { BUILD } from '../../version.ts';
import { sealedEnvironment } from '../environment/sealed-environment.ts';
import type { TestRun } from '../facts.ts';
import { declaredPlaces } from '../runners/read-report-file.ts';
import { removeFromWorkspace } from '../workspaces/verification-workspace.ts';
import { RunnerListener } from './listen-to-runners.ts';
import { evidenceOn, readTestResults, recordEvidence, saveTestResults } from './record-evidence.ts';
import type { RunContext, RunTree } from './run-context.ts';
import { runInWorkspace, type WorkspaceRun } from './run-in-workspace.ts';
import { watchTestFiles } from './watch-test-files.ts';

const DEFAULT_TIMEOUT_S = 30 * 60;

export type TestsConfig = NonNullable<VerifyConfig['tests']>;

export interface TestRunOptions {
  /** Sufficient test files; a runner that cannot be limited to them runs everything. */
  select?: readonly string[] | undefined;
  setup: VerifyConfig['setup'];
  /** Runs while the workspace is as the tests left it. */
  afterwards?: (run: WorkspaceRun) => void;
}

/** Runs the project's tests on the tree in the workspace. */
export async function runTests(
  context: RunContext,
  config: TestsConfig,
  on: RunTree,
  options: TestRunOptions,
): Promise<TestRun> {
  const { command, timeout = DEFAULT_TIMEOUT_S, report } = config;
  const { select, afterwards = () => {} } = options;
  const listener = new RunnerListener(select && { root: context.workspace.folder, select });
  // A report in the tree or of another run does not count.
  for (const place of report === undefined ? [] : declaredPlaces(context.workspace.folder, report))
    removeFromWorkspace(context.workspace, place);
  const findRewritten = await watchTestFiles(context, on.tree);
  return runInWorkspace(
    context,
    {
      check: 'tests',
      command,
      timeoutMs: timeout * 1000,
      on,
      env: (runFolder, base) => listener.environment(runFolder, base),
    },
    async (run) => {
      const { results, faults, runners } = await listener.read(run, context.workspace.folder, report);
      const saved = saveTestResults(context, run.evidence.id, results, faults, runners);
      const rewritten = await findRewritten();
      const tests = rewritten.length === 0 ? saved : { ...saved, rewritten };
      const evidence = { ...run.evidence, tests, run_key: runKey(context, config, options) };
      recordEvidence(context, evidence);
      afterwards(run);
      return { evidence, results, faults };
    },
  );
}

/** Longer than a passing run could take on a busy machine. */
const HANGS_AFTER_S = 3 * 60;
const HANGS_AFTER_TIMES = 10;

/** The time limit for other tests or another tree, after passing runs: a test that hangs must not use up all of it. */
export function limitedBy(config: TestsConfig, known: readonly (TestRun | undefined)[]): TestsConfig {
  const passed = known.flatMap((run) => (run?.evidence.exit === 0 ? [run.evidence.duration_ms] : []));
  if (passed.length === 0) return config;
  const most = HANGS_AFTER_S + (HANGS_AFTER_TIMES * Math.max(...passed)) / 1000;
  return { ...config, timeout: Math.min(config.timeout ?? DEFAULT_TIMEOUT_S, Math.ceil(most)) };
}

/** An earlier finished run of the same command on the same tree with the same toolchain and build of GuardKit. */
export function findTestRun(
  context: RunContext,
  config: TestsConfig,
  { tree, is }: RunTree,
  options: Pick<TestRunOptions, 'select' | 'setup'>,
): TestRun | undefined {
  const key = runKey(context, config, options);
  const evidence = findRun(evidenceOn(context.ledger, context.project, tree), config.command, is, key);
  const saved = evidence && readTestResults(context, evidence);
  if (!saved) return undefined;
  const { results, faults } = saved;
  // Passing tests whose report could not be read, such as an unfinished one: another run may write it.
  if (evidence.exit === 0 && results.length === 0 && faults.length > 0) return undefined;
  context.emit({ type: 'run_reused', check: 'tests', on: is, evidence });
  return { evidence, results, faults };
}

function findRun(
  recorded: Iterable<Evidence>,
  command: string,
  is: RunTree['is'],
  key: string,
): Evidence | undefined {
  for (const one of recorded) {
    const isRun = one.check === 'tests' && !one.manual && one.tree_is === is && one.command === command;
    if (isRun && one.run_key === key && !one.timed_out && one.signal === null) return one;
  }
  return undefined;
}

/** Results for the same tree and command differ if one of these does. */
function runKey(
  context: RunContext,
  { report }: TestsConfig,
  { select, setup }: Pick<TestRunOptions, 'select' | 'setup'>,
): string {
  const files = select && [...select].sort();
  const parts = {
    toolchain: toolchainKey(context),
    report: report ?? null,
    files: files ?? null,
    setup: setup ?? null,
  };
  return sha256(canonicalJson(parts));
}

/** Programs that affect test results independently of the tree. */
const PROGRAMS =
  'node npm npx pnpm yarn bun deno python python3 pytest go cargo rustc java mvn gradle make ruby php dotnet'.split(
    ' ',
  );

/**
 * Identifies the programs and the environment of a command, as far as they can change independently of the tree, and the
 * build of GuardKit, whose taps and parsers named the results.
 */
export function toolchainKey(
  { env, home, project, variables, sandbox, network }: RunContext,
  guardkit = BUILD,
): string {
  const sealed = sealedEnvironment({
    env,
    dataFolder: home,
    project,
    verify: variables,
    home: '/',
    sandboxed: sandbox.available,
  });
  const folders = (sealed.env.PATH ?? '').split(':').filter((folder) => folder !== '');
  const programs = PROGRAMS.map((program) => {
    for (const folder of folders) {
      const file = join(folder, program);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat?.isFile()) return [realpathSync(file), stat.size, Math.floor(stat.mtimeMs)];
    }
    return null;
  });
  const box = sandbox.available ? `${sandbox.kind} ${sandbox.version}` : null;
  return sha256(
    canonicalJson({ guardkit, programs, env: sealed.env, readable: sealed.readable, box, network }),
  );
}
