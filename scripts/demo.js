// `npm start`: memory in a minute, on a scratch folder that is removed at the end. Every line shown is really run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/guardkit.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'guardkit-demo-'));
const project = join(scratch, 'shop');
const env = { ...process.env, GUARDKIT_HOME: join(scratch, 'home'), GUARDKIT_DATABASE_URL: '' };

const turns = [
  {
    feature_id: 'FEAT-AUTH',
    task_id: 'TASK-AUTH-001',
    turn_number: 1,
    mode: 'FRESH_START',
    player_decision: 'implemented',
    player_summary: 'Wrote the login endpoint, it answers with a signed token',
    coach_decision: 'revise',
    coach_feedback: 'Nothing renews a token before it runs out',
    acceptance_criteria_status: {
      'AC-001: Login returns a token': 'completed',
      'AC-002: Tokens renew': 'not_started',
    },
    tests_passed: 8,
    tests_failed: 0,
    coverage: 75.5,
  },
  {
    feature_id: 'FEAT-AUTH',
    task_id: 'TASK-AUTH-001',
    turn_number: 2,
    mode: 'CONTINUING_WORK',
    player_decision: 'implemented',
    player_summary: 'Added renewal. Tried it with AWS_KEY=AKIA' + 'IOSFODNN7EXAMPLE in the environment',
    coach_decision: 'reject',
    coach_feedback: 'Renewal accepts a token whose session_timeout has passed',
    acceptance_criteria_status: { 'AC-001': 'completed', 'AC-002': 'in_progress' },
    tests_passed: 10,
    tests_failed: 2,
    coverage: 78.2,
  },
  {
    feature_id: 'FEAT-AUTH',
    task_id: 'TASK-AUTH-001',
    turn_number: 3,
    mode: 'CONTINUING_WORK',
    player_decision: 'implemented',
    player_summary: 'Renewal checks session_timeout first; tests for the edge cases',
    coach_decision: 'approve',
    acceptance_criteria_status: { 'AC-001': 'completed', 'AC-002': 'completed' },
    tests_passed: 15,
    tests_failed: 0,
    coverage: 85,
  },
];

function say(text) {
  process.stdout.write(`${text}\n`);
}

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, env, encoding: 'utf8' });
}

function guardkit(...args) {
  say(`\n$ guardkit ${args.map((arg) => (/[\s]/.test(arg) ? `"${arg}"` : arg)).join(' ')}`);
  say(run(process.execPath, [program, ...args], project).trimEnd());
}

try {
  run('git', ['init', '-q', project], scratch);
  const identity = [
    '-c',
    'user.name=demo',
    '-c',
    'user.email=demo@example.invalid',
    '-c',
    'commit.gpgsign=false',
  ];
  run('git', [...identity, 'commit', '-q', '--allow-empty', '-m', 'Begin'], project);
  say(`A scratch project in ${project}, with a memory of its own.`);

  say('\n— The built-in roles, gates and modes go into the store; a second time changes nothing.');
  guardkit('graphiti', 'seed');
  guardkit('graphiti', 'seed');

  say('\n— Three turns of a task. The second one has a key in its text.');
  for (const turn of turns) {
    const body = join(scratch, `turn-${turn.turn_number}.json`);
    writeFileSync(body, JSON.stringify(turn));
    const id = `TURN-${turn.feature_id}-${turn.task_id}-T${turn.turn_number}`;
    guardkit('graphiti', 'add', 'turn_states', '--id', id, '--type', 'turn_state', '--body', body);
  }

  say('\n— They are found again: by words, by identifier, by exact id; and the key is gone.');
  guardkit('graphiti', 'search', 'why was renewing rejected', '--group', 'turn_states', '--limit', '2');
  guardkit('graphiti', 'search', 'session_timeout', '--limit', '2');
  guardkit('graphiti', 'search', 'TURN-FEAT-AUTH-2', '--limit', '1');
  guardkit('graphiti', 'list', 'turn_states', '--where', 'coach_decision=rejected');

  say('\n— A correction makes a new version; the old one stays.');
  writeFileSync(join(scratch, 'turn-3.json'), JSON.stringify({ ...turns[2], coverage: 87.5 }));
  const third = 'TURN-FEAT-AUTH-TASK-AUTH-001-T3';
  guardkit(
    'graphiti',
    'add',
    'turn_states',
    '--id',
    third,
    '--type',
    'turn_state',
    '--body',
    join(scratch, 'turn-3.json'),
  );
  guardkit('graphiti', 'history', third);
  guardkit('graphiti', 'status', '--verbose');
  say(
    '\nThe scratch folder is removed. Your own memory lives in ~/.guardkit: try `bin/guardkit graphiti seed`.',
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
