import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSources } from '../scripts/import-sources.js';

/** Processor time is measured in ticks of ten milliseconds; with this many rounds a ratio is precise to 0.02. */
const ROUNDS = 60;

const TOOLS = [
  { tool_name: 'Read', tool_input: { file_path: 'src/index.js' } },
  { tool_name: 'Edit', tool_input: { file_path: 'src/index.js', old_string: 'one', new_string: 'two' } },
  { tool_name: 'Bash', tool_input: { command: 'npm test' } },
];

/**
 * The delay that hooks add to a harmless action: whole processes, including the launcher, alternating with a bare Node.
 * Compares processor time if the system reports it, so that other load does not matter.
 */
export async function measureHook(folder) {
  const project = await makeProject(join(folder, 'hook'));
  const cases = TOOLS.flatMap((tool) =>
    ['PreToolUse', 'PostToolUse'].map((event) => ({ name: `${event} ${tool.tool_name}`, tool, event })),
  );
  const bare = [];
  const times = new Map(cases.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    const kept = round > 0;
    const add = (list, time) => kept && list.push(time);
    for (const { name, tool, event } of cases) {
      add(
        bare,
        timed(() => run(process.execPath, ['-e', '0'], project, '')),
      );
      const payload = {
        session_id: 'bench',
        cwd: project.root,
        permission_mode: 'default',
        hook_event_name: event,
        ...withPath(tool, project.root),
        tool_use_id: `${tool.tool_name}-${round}`,
      };
      add(
        times.get(name),
        timed(() => run(project.launcher, ['claude'], project, JSON.stringify(payload))),
      );
    }
  }
  const unit = bare[0].cpu === undefined ? 'wall' : 'cpu';
  const bareMs = summary(bare, unit);
  const ratios = Object.fromEntries([...times].map(([name, list]) => [name, summary(list, unit) / bareMs]));
  return { by: unit, bareMs, ratios };
}

async function makeProject(folder) {
  const [root, home] = ['shop', 'home'].map((name) => join(folder, name));
  for (const one of [join(root, '.guardkit'), join(root, 'src'), home]) mkdirSync(one, { recursive: true });
  writeFileSync(join(root, '.guardkit', 'config.yaml'), 'project: bench\n');
  writeFileSync(join(root, 'src', 'index.js'), 'export const one = 1;\n'.repeat(200));
  writeFileSync(join(root, 'package.json'), '{"scripts": {"test": "node --test"}}\n');
  const git = (...args) => execFileSync('git', args, { cwd: root });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=b', '-c', 'user.email=b@example.invalid', 'commit', '-qm', 'Begin');
  const { launcherParts, launcherPath, openLedger, writeLauncher } = await importSources([
    'src/enforcement/install/hook-launcher.ts',
    'src/enforcement/install/own-package.ts',
    'src/store/ledger/open-ledger.ts',
  ]);
  const dataFolder = realpathSync(home);
  writeLauncher(launcherParts(dataFolder));
  openLedger({ path: join(dataFolder, 'ledger.db') }).close();
  return { root: realpathSync(root), home: dataFolder, launcher: launcherPath(dataFolder) };
}

function withPath({ tool_name, tool_input }, root) {
  const { file_path } = tool_input;
  return {
    tool_name,
    tool_input: file_path ? { ...tool_input, file_path: join(root, file_path) } : tool_input,
  };
}

function run(command, args, { root, home }, input) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...plainEnvironment(), HOME: home, CLAUDE_PROJECT_DIR: root, CLAUDE_PID: String(process.pid) },
    input,
    encoding: 'utf8',
  });
  if (status !== 0 || stdout !== '') throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
}

/** The launcher clears variables that make Node load more, so a bare Node must not have them either. */
export function plainEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
}

export function timed(work) {
  const [start, used] = [performance.now(), childTime()];
  work();
  return { wall: performance.now() - start, cpu: used === undefined ? undefined : childTime() - used };
}

/** Processor time of all ended children in milliseconds, in ticks of ten; only the sum of many is meaningful. */
function childTime() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    // Safe: only Linux has it; elsewhere elapsed time is used.
    return undefined;
  }
}

export function summary(times, unit) {
  const values = times.map((time) => time[unit]).sort((a, b) => a - b);
  if (unit === 'wall') return values[values.length >> 1];
  // Without the extremes, which other load causes.
  const middle = values.slice(values.length >> 3, values.length - (values.length >> 3));
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
