// `npm start`: a feature built turn by turn, then a run through several, in scratch repositories that are removed at the
// end. The agents follow a script; the files, the tests, the gates and everything that is shown are real.
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
  sayMore();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function showBuild() {
  makeProject('project', 'A shop with sessions');
  cpSync(join(demo, 'scenario.yaml'), scenario);
  say(`A scratch project in ${project}, with a test, a task and a data folder of its own.`);

  say('\n— What is to be done, and what it will be measured by.');
  guardkit('task', 'show', 'TASK-001');

  say(
    '\n— A Player builds it and a Coach judges it. The first turn claims eight passing tests and both criteria; GuardKit',
    '  runs the tests itself. The second turn is told why the first was rejected.',
  );
  guardkit('feature-build', 'TASK-001', '--driver', 'script', '--scenario', scenario, '--verbose');

  say('\n— The turns, as they were recorded.');
  guardkit('turns', 'TASK-001');
  guardkit('explain', 'TASK-001');

  say('\n— What was learned is found again, by words or by identifier.');
  guardkit('graphiti', 'search', 'why was the session rejected', '--group', 'turn_states', '--limit', '1');
  guardkit('graphiti', 'search', 'TURN-FEAT-SESSION-2', '--limit', '1');
}

function showRun() {
  project = greetings;
  makeProject('run-project', 'Greetings, and what is wanted of them');
  cpSync(join(demo, 'run-scenario.yaml'), runScenario);
  say(
    '\n— Now a project with three features, and nobody to ask. The second needs the code of the first and fails once; the',
    '  third cannot be done at all. Everything that is done is on one branch.',
  );
  // Something is blocked in the end, so that the answer is no.
  guardkitSays(1, 'run', '--driver', 'script', '--scenario', runScenario, '--max-turns', '1');
  guardkit('feature', 'list');
}

function sayMore() {
  say(
    '\nThe scratch folder is removed now. In a project of your own:',
    '  guardkit init                      writes its configuration and recognises how it is tested',
    '  guardkit feature-build TASK-001    builds with Claude Code, or with any agent that you name',
    '  guardkit explain TASK-001          why it took that many turns, and what to change',
    '  guardkit run                       works through all features, over night if need be',
    `The scripted agents are in ${join('scripts', 'demo', 'scenario.yaml')}: change what they claim, and see what the gates say.`,
    'Further: docs/guide/feature-build.md, docs/guide/run-a-session.md and docs/guide/verify.md.',
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
  guardkitSays(0, ...args);
}

function guardkitSays(status, ...args) {
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
