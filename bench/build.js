import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AS_BENCH, writerIn } from './project-files.js';

const PROGRAM = fileURLToPath(new URL('../bin/guardkit.js', import.meta.url));
/** Number of turns at each end that are compared. */
const WINDOW = 20;

/** GuardKit's own time in a turn, without agents and commands: in the first turns and after many. */
export async function measureBuild(folder, { turns = 200, program = PROGRAM } = {}) {
  const project = makeProject(join(folder, 'build'), turns);
  const overheads = await build(project, turns, program);
  if (overheads.length !== turns) throw new Error(`the build made ${overheads.length} turns, not ${turns}`);
  const first = overheads.slice(0, WINDOW);
  const last = overheads.slice(-WINDOW);
  return { turns, p50Ms: median(overheads), firstMs: median(first), lastMs: median(last) };
}

/** A Player that changes a line in every turn, and a Coach that always finds another fault. */
function makeProject(place, turns) {
  const root = join(place, 'project');
  const home = join(place, 'home');
  mkdirSync(home, { recursive: true });
  const write = writerIn(root);
  write('.guardkit/config.yaml', 'project: bench\nverify: {tests: {command: cat results.tap}}\n');
  write(
    'tasks/TASK-001.md',
    '---\nid: TASK-001\ntitle: Count\ntask_type: scaffolding\ncomplexity: 1\n---\n## Acceptance Criteria\n- AC-001: it counts\n',
  );
  write('results.tap', 'TAP version 13\n1..1\nok 1 - AC-001 counts\n');
  for (let number = 0; number < 100; number++)
    write(`src/part-${number}.js`, `export const part${number} = ${number};\n`);
  const git = (...args) => run('git', [...AS_BENCH, ...args], root);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'b');
  const scenario = join(place, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ turns: Array.from({ length: turns }, (_, at) => turn(at + 1)) }));
  return { root, home, scenario };
}

function turn(number) {
  const path = 'src/counter.js';
  return {
    player: {
      write: { [path]: `export const counter = ${number};\n` },
      report: { decision: 'implemented', summary: `Counted to ${number}`, files_modified: [path] },
    },
    coach: {
      verdict: {
        decision: 'feedback',
        criteria: { 'AC-001': { status: 'in_progress' } },
        arch_score: 80,
        feedback: `${topic(number)} is missing, and ${topic(number * 7)} should go on to ${number * 13}.`,
        lessons: [`${topic(number * 3)} was not enough`],
      },
    },
  };
}

function topic(number) {
  return `part-${(number * 2654435761) >>> 0}`;
}

/** The time of each turn without agents and commands, counted from the end of the turn before. */
async function build({ root, home, scenario }, turns, program) {
  const args = ['feature-build', 'TASK-001', '--driver', 'script', '--scenario', scenario];
  const child = spawn(
    process.execPath,
    [program, ...args, '--max-turns', String(turns), '--yes', '--json-events'],
    {
      cwd: root,
      env: { ...process.env, GUARDKIT_HOME: home, GUARDKIT_DATABASE_URL: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  const overheads = [];
  const other = [];
  let began;
  let others = 0;
  let agentBegan = 0;
  try {
    for await (const line of createInterface({ input: child.stderr })) {
      const now = performance.now();
      const event = line.startsWith('{') ? JSON.parse(line) : undefined;
      switch (event?.type) {
        case 'task_began':
          began = now;
          others = 0;
          break;
        case 'agent_began':
          agentBegan = now;
          break;
        case 'agent_ended':
          others += now - agentBegan;
          break;
        case 'verifying':
          if (event.event.type === 'run_ended') others += event.event.evidence.duration_ms;
          break;
        case 'turn_captured':
          overheads.push(now - began - others);
          began = now;
          others = 0;
          break;
        case undefined:
          other.push(line);
          break;
      }
    }
  } finally {
    killed();
    process.off('exit', killed);
  }
  if (overheads.length === 0) throw new Error(`the build made no turn:\n${other.join('\n')}`);
  return overheads;
}

function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
