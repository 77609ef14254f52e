// `npm start`: builds a feature turn by turn, then runs through several, in scratch repositories that are deleted at the end.
// The agents follow a script; files, tests, gates and output are real.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/guardkit.js', import.meta.url));
const demo = fileURLToPath(new URL('demo', import.meta.url));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-demo-')));
const shop = join(scratch, 'shop');
const greetings = join(scratch, 'greetings');
const scenario = join(scratch, 'scenario.yaml');
const runScenario = join(scratch, 'run-scenario.yaml');
let project = shop;
const env = { ...process.env, GUARDKIT_HOME: join(scratch, 'home'), GUARDKIT_DATABASE_URL: '' };

try {
  showBuild();
  showRun();
  if (process.argv.includes('--ui')) await showDashboard();
  showNextSteps();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function showBuild() {
  makeProject('project', 'A shop with sessions');
  cpSync(join(demo, 'scenario.yaml'), scenario);
  say(`This is a scratch project in ${project}, with a test, a task and its own data folder.`);

  say('\n— The task and its acceptance criteria.');
  guardkit('task', 'show', 'TASK-001');

  say(
    '\n— A Player builds it and a Coach judges it. The first turn claims eight passing tests and both criteria, but GuardKit',
    '  runs the tests itself. The second turn gets the reasons for the rejection.',
  );
  guardkit('feature-build', 'TASK-001', '--driver', 'script', '--scenario', scenario, '--verbose');

  say('\n— The recorded turns.');
  guardkit('turns', 'TASK-001');
  guardkit('explain', 'TASK-001');

  say('\n— Search the turns by words or by id.');
  guardkit('memory', 'search', 'why was the session rejected', '--group', 'turn_states', '--limit', '1');
  guardkit('memory', 'search', 'TURN-FEAT-SESSION-2', '--limit', '1');
}

function showRun() {
  project = greetings;
  makeProject('run-project', 'Greetings with three planned features');
  cpSync(join(demo, 'run-scenario.yaml'), runScenario);
  say(
    '\n— Now an unattended run in a project with three features. The second needs the code of the first and fails once; the',
    '  third is impossible. The run puts all finished features on one branch.',
  );
  // Exit code 1, because one feature is blocked in the end.
  runGuardkit(1, 'run', '--driver', 'script', '--scenario', runScenario, '--max-turns', '1');
  guardkit('feature', 'list');
}

async function showDashboard() {
  say('\n— The dashboard, with both projects. Press Ctrl-C to end.');
  const interrupted = new Promise((resolve) => process.once('SIGINT', resolve));
  // Keeps this program waiting.
  const waiting = setInterval(() => {}, 60_000);
  try {
    guardkit('ui');
    await interrupted;
  } finally {
    clearInterval(waiting);
    guardkit('serve', '--stop');
  }
}

function showNextSteps() {
  say(
    '\nThe scratch folder is deleted now. In your own project:',
    '  guardkit init                      Set up GuardKit and detect the test commands',
    '  guardkit feature-build TASK-001    Build with Claude Code or another agent',
    '  guardkit explain TASK-001          Explain what was tried and why it failed',
    '  guardkit run                       Build all features unattended',
    '  guardkit ui                        Show all of it in the browser; for this demo: npm start -- --ui',
    `The agents are scripted in ${join('scripts', 'demo', 'scenario.yaml')}: change their claims and see how the gates react.`,
    'Read more in docs/guide/feature-build.md, docs/guide/run-a-session.md and docs/guide/verify.md.',
  );
}

function makeProject(from, message) {
  cpSync(join(demo, from), project, { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

function say(...lines) {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function guardkit(...args) {
  runGuardkit(0, ...args);
}

function runGuardkit(status, ...args) {
  const typed = args.map((arg) =>
    arg.startsWith(scratch) ? basename(arg) : /\s/.test(arg) ? `"${arg}"` : arg,
  );
  say(`\n$ guardkit ${typed.join(' ')}`);
  run(process.execPath, [program, ...args], status);
}

function git(...args) {
  run('git', [
    '-c',
    'user.name=demo',
    '-c',
    'user.email=demo@example.invalid',
    '-c',
    'commit.gpgsign=false',
    ...args,
  ]);
}

function run(command, args, expected = 0) {
  const { status, error } = spawnSync(command, args, {
    cwd: project,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== expected) throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
