import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NativeCheckout, nativeCommands, plainEnvironment } from './native-suite.js';
import { mustRun, runCommand } from './run-command.js';
import { setCoverageOff, setVerifyCommands, testCommandOf } from './set-verify-commands.js';

const GIT_IDENTITY = '-c user.name=Replay -c user.email=replay@localhost -c commit.gpgsign=false';
const VERIFY_SECONDS = 1200;

/**
 * Replays one commit as a person would work: GuardKit is set up and committed on the parent, a task is committed, the
 * upstream change (and the cheat, if there is one) is applied without committing it, and `guardkit verify` judges it.
 */
export async function replayCommit(entry, { guardkit, clones, work, times, coverageOff, cheat }) {
  const checkout = new NativeCheckout(entry, { clones, work: join(work, 'replayed') });
  const home = join(work, 'guardkit-home');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const env = plainEnvironment({ GUARDKIT_HOME: home });
  const { folder } = checkout;
  const steps = [];
  const step = async (name, command, seconds) => {
    const result = await runCommand(command, { cwd: folder, env, seconds });
    steps.push({ name, code: result.code, seconds: result.seconds, output: result.output.slice(-6000) });
    if (result.timedOut) throw new StepFailed(`${name}: time limit`, steps);
    return result;
  };
  const must = async (...step_) => {
    const result = await step(...step_);
    if (result.code !== 0) throw new StepFailed(`${step_[0]}: exit ${result.code}`, steps);
    return result;
  };

  await checkout.open();
  // If the project ignores everything, files of the previous replay remain.
  if (existsSync(folder)) await mustRun('rm -rf .guardkit tasks/TASK-*', { cwd: folder });
  await checkout.checkOut(entry.parent);
  await mustRun(`git checkout -q -f -B main && (git remote remove origin || true)`, { cwd: folder });
  const setup = await checkout.setUp();
  if (setup.code !== 0)
    throw new StepFailed(`native set-up: exit ${setup.code}\n${setup.output.slice(-1500)}`, steps);

  // Trying the commands takes long; the replays of upstream commits cover it.
  const untried = coverageOff || cheat !== undefined;
  await must('init', `sh "${guardkit}" init --yes --no-agent${untried ? ' --no-try' : ''}`, 900);
  if (entry.test !== undefined && testCommandOf(folder) !== entry.test)
    setVerifyCommands(folder, entry, nativeCommands(entry, folder).setup);
  if (coverageOff) setCoverageOff(folder);
  const created = await must(
    'task create',
    `sh "${guardkit}" task create "Upstream change" --type ${entry.type} --complexity 3 --criterion "the upstream change works" --json`,
    60,
  );
  const task = JSON.parse(created.stdout).id ?? 'TASK-001';
  // Some projects ignore everything by default.
  await must(
    'commit',
    `git add -A && git add -f .guardkit tasks && git ${GIT_IDENTITY} commit -q --no-verify -m "Set up GuardKit"`,
    60,
  );
  await must('branch', 'git checkout -q -B work', 60);
  if (cheat === undefined) {
    // Both `guardkit init` and the commit may add lines at the end of .gitignore.
    writeFileSync(join(folder, '.git', 'info', 'attributes'), '.gitignore merge=union\n');
    await must('apply', `git ${GIT_IDENTITY} cherry-pick -n ${entry.commit}`, 60);
    await must('unstage', 'git reset -q', 60);
  } else {
    await cheat.apply(folder);
  }

  const native = times || cheat !== undefined ? await timeNative(checkout, env) : undefined;
  if (cheat !== undefined && native === undefined)
    throw new StepFailed('the cheat does not fool the native suite', []);
  const verify = `sh "${guardkit}" verify ${task} --json`;
  const first = await step('verify', verify, VERIFY_SECONDS);
  const document = parseDocument(first.stdout);
  const known =
    times && document !== undefined ? await step('verify again', verify, VERIFY_SECONDS) : undefined;
  return {
    config: configFile(folder),
    document,
    log: first.output.slice(-12_000),
    steps: steps.map(({ name, code, seconds }) => ({ name, code, seconds: round(seconds) })),
    times: {
      native: native === undefined ? undefined : round(native),
      setup: round(setupSeconds(first.output)),
      first: round(first.seconds - setupSeconds(first.output)),
      known: known === undefined ? undefined : round(known.seconds - setupSeconds(known.output)),
    },
  };
}

export class StepFailed extends Error {
  constructor(message, steps) {
    const last = steps.at(-1);
    super(last === undefined ? message : `${message}\n${last.output.slice(-3000)}`);
  }
}

async function timeNative(checkout, env) {
  const setup = await checkout.setUp();
  if (setup.code !== 0) return undefined;
  const { test } = nativeCommands(checkout.entry, checkout.folder);
  const run = await runCommand(test, { cwd: checkout.folder, env, seconds: 600 });
  return run.code === 0 ? run.seconds : undefined;
}

function configFile(folder) {
  const file = join(folder, '.guardkit', 'config.yaml');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function parseDocument(stdout) {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

/** Seconds that verify reports for set-up, which the time ratio leaves out. */
function setupSeconds(output) {
  const found = output.matchAll(/^\s*set-?up[^\n]*: exit -?\d+, (?:(\d+) min )?([\d.]+) s/gm);
  return [...found].reduce(
    (sum, [, minutes = 0, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

function round(seconds) {
  return Number(seconds.toFixed(2));
}
