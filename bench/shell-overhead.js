import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSources } from '../scripts/import-sources.js';

const ROUNDS = 200;
const TARGET_MS = 10;

/** Files and folders that result in about twenty mounts. */
const FILES = [
  ...['.guardkit/config.yaml', '.guardkit/logs/a', 'tasks/TASK-1.md', '.claude/settings.json'],
  ...['.claude/progress/list.json', '.claude/plans/p.md', '.codex/config.toml', '.cursor/rules'],
  ...['.husky/pre-commit', '.mcp.json', 'packages/ui/.claude/agents/a.md', 'src/a.js'],
];
const HOME_FILES = [
  ...['.bashrc', '.profile', '.zshrc', '.gitconfig', '.claude/settings.json', '.claude/skills/a/SKILL.md'],
  ...['.claude/agents/a.md', '.config/git/ignore'],
];

/** How much longer `bash -c true` takes in the wrapper; runs with and without it alternate. */
export async function measureShell(folder) {
  const [project, home, dataFolder] = ['project', 'home', 'home/data'].map((name) => join(folder, name));
  for (const file of [
    ...FILES.map((name) => join(project, name)),
    ...HOME_FILES.map((name) => join(home, name)),
  ]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  mkdirSync(dataFolder);
  execFileSync('git', ['init', '-q'], { cwd: project });
  const { findGitFolder, refreshProfiles, shellLauncherPath } = await importSources([
    'src/enforcement/shell/refresh-profiles.ts',
    'src/enforcement/shell/write-launcher.ts',
    'src/platform/git/git-folder.ts',
  ]);
  const git = findGitFolder(project);
  const context = {
    checkout: project,
    git,
    dataFolder,
    home,
    configLocations: [],
    globs: [],
    otherCheckouts: [],
    allow: {},
  };
  refreshProfiles(context);
  const launcher = shellLauncherPath(dataFolder, git);
  const mounts = spawnSync(launcher, ['grep -c guardkit-bench-shell /proc/self/mountinfo'], {
    cwd: project,
    encoding: 'utf8',
  });
  const times = { plain: [], wrapped: [], git: [], refresh: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.plain.push(timed(() => run('/bin/bash', ['-c', 'true'], project)));
    times.wrapped.push(timed(() => run(launcher, ['true'], project)));
    times.git.push(timed(() => run(launcher, ['true # git checkout'], project)));
    times.refresh.push(timed(() => refreshProfiles(context)));
  }
  const [plainMs, wrappedMs, gitMs, refreshMs] = Object.values(times).map((values) => share(values, 0.5));
  // On a busy machine the fastest runs are more meaningful than the median.
  const quickMs = share(times.wrapped, 0.05) - share(times.plain, 0.05);
  return {
    mounts: Number(mounts.stdout),
    plainMs,
    wrappedMs,
    gitMs,
    refreshMs,
    addedMs: wrappedMs - plainMs,
    quickMs,
  };
}

function run(program, args, cwd) {
  const { status, stderr } = spawnSync(program, args, { cwd });
  if (status !== 0) throw new Error(`${program}: ${status} ${stderr}`);
}

function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function share(values, part) {
  return values.sort((a, b) => a - b)[Math.floor(values.length * part)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'guardkit-bench-shell-'));
  try {
    const { mounts, plainMs, wrappedMs, gitMs, refreshMs, addedMs, quickMs } = await measureShell(folder);
    console.log(`mounts                  ${mounts}`);
    console.log(`bash -c true            ${plainMs.toFixed(2)} ms`);
    console.log(`in the wrapper          ${wrappedMs.toFixed(2)} ms`);
    console.log(`a git command in it     ${gitMs.toFixed(2)} ms`);
    console.log(`unchanged profiles      ${refreshMs.toFixed(2)} ms`);
    console.log(`added by the wrapper    ${addedMs.toFixed(2)} ms (target: at most ${TARGET_MS} ms)`);
    console.log(`the same, fastest runs  ${quickMs.toFixed(2)} ms`);
    process.exitCode = addedMs <= TARGET_MS ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
