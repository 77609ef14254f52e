import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { CheckConfig } from '../../config/project/verify-config.ts';
import { describeEvidence } from '../../domain/entities/evidence.ts';
import type { CheckRun } from '../facts.ts';
import { RunnerListener } from '../runs/listen-to-runners.ts';
import { recordEvidence } from '../runs/record-evidence.ts';
import type { RunContext, RunTree } from '../runs/run-context.ts';
import { runInWorkspace, type WorkspaceRun } from '../runs/run-in-workspace.ts';
import { countTests } from '../test-reports/merge-reports.ts';
import { type CheckAnswer, judgeCheck } from './judge-check.ts';

const DEFAULT_TIMEOUT_S = 5 * 60;
/** Extra time to report a timeout. */
const GRACE_MS = 5000;

const answerSchema = z.object({
  status: z.number().optional(),
  body: z.string().optional(),
  page: z.string().optional(),
  error: z.string().optional(),
});

/** Runs and judges one of the project's checks on the tree in the workspace. */
export function runCheck(context: RunContext, check: CheckConfig, on: RunTree): Promise<CheckRun> {
  const timeoutMs = (check.timeout ?? DEFAULT_TIMEOUT_S) * 1000;
  const command = check.command ?? (isAddress(check.browser) ? undefined : check.browser);
  const listener = new RunnerListener();
  const run =
    command === undefined
      ? probeRun(check, timeoutMs)
      : {
          command,
          timeoutMs,
          env: (runFolder: string, base: NodeJS.ProcessEnv) => listener.environment(runFolder, base),
        };
  return runInWorkspace(context, { check: check.name, on, ...run }, async (ended) => {
    const answer =
      command === undefined ? probeAnswer(check, ended) : await commandAnswer(context, ended, listener);
    const { result, reason } = judgeCheck(check, answer);
    const evidence = recordEvidence(context, { ...ended.evidence, found: `${result}: ${reason}` });
    return { check, evidence, result, reason };
  });
}

function isAddress(text: string | undefined): boolean {
  return text !== undefined && /^https?:\/\//.test(text);
}

async function commandAnswer(
  { workspace }: RunContext,
  run: WorkspaceRun,
  listener: RunnerListener,
): Promise<CheckAnswer> {
  const { evidence, result } = run;
  const { passed, failed } = countTests((await listener.read(run, workspace.folder)).results);
  return {
    type: 'command',
    exit: evidence.timed_out || evidence.signal !== null ? null : evidence.exit,
    ended: describeEvidence(evidence),
    stdout: result.stdout,
    executedTests: passed + failed,
  };
}

/** The request is passed in the environment, never as shell text. */
function probeRun(check: CheckConfig, timeoutMs: number) {
  const browser = check.browser === undefined ? undefined : findBrowser();
  const request = { start: check.start, url: check.http ?? check.browser, browser, timeoutMs };
  return {
    command: [check.start, check.http ?? check.browser].filter((part) => part !== undefined).join(' → '),
    started:
      check.browser !== undefined && browser === undefined
        ? 'true'
        : 'exec "$GUARDKIT_NODE" "$GUARDKIT_PROBE" "$GUARDKIT_REQUEST"',
    timeoutMs: timeoutMs + GRACE_MS,
    readable: [dirname(probePath())],
    env: () => ({
      GUARDKIT_NODE: process.execPath,
      GUARDKIT_PROBE: probePath(),
      GUARDKIT_REQUEST: JSON.stringify(request),
    }),
  };
}

function probeAnswer(check: CheckConfig, { result, evidence }: WorkspaceRun): CheckAnswer {
  if (check.browser !== undefined && findBrowser() === undefined)
    return {
      type: 'none',
      result: 'absent',
      why: 'no browser found; install one, for example with `apt-get install chromium`',
    };
  if (evidence.timed_out) return { type: 'none', result: 'fail', why: 'no answer before the timeout' };
  const answer = parseAnswer(result.stdout);
  if (answer?.error !== undefined) return { type: 'none', result: 'fail', why: answer.error };
  if (answer?.status === undefined)
    return { type: 'none', result: 'fail', why: `the check was interrupted (${describeEvidence(evidence)})` };
  if (check.http !== undefined) return { type: 'http', status: answer.status, body: answer.body ?? '' };
  return { type: 'page', status: answer.status, html: answer.page ?? '' };
}

function parseAnswer(stdout: string): z.infer<typeof answerSchema> | undefined {
  try {
    return answerSchema.parse(JSON.parse(stdout));
  } catch {
    // Safe: an unreadable answer fails the check.
    return undefined;
  }
}

/** The probe is next to this file in the sources and next to the bundle in the package. */
function probePath(): string {
  const places = ['./probe/probe.mjs', '../probe/probe.mjs'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`the probe is missing; tried ${places.join(', ')}`);
  return found;
}

/** Usual paths of browsers with a headless mode. Not the PATH, which a project may extend. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export function findBrowser(): string | undefined {
  return PLACES.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      // Safe: a missing file and one that we may not run are equal here.
      return false;
    }
  });
}
