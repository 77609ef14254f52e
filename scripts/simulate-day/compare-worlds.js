import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Files that `init` installs on this machine, and GuardKit's projections. */
const LEFT_OUT = /^\.git\/(?!hooks\/)|^\.claude\/(?:settings\.local\.json$|progress\/)/;
const HOME_FILES = ['.bashrc', '.gitconfig'];

/** One line for each file, branch or stash that differs. */
export function compareWorlds(found, expected) {
  const [have, want] = [stateOf(found), stateOf(expected)];
  return [...new Set([...Object.keys(want), ...Object.keys(have)])]
    .filter((name) => have[name] !== want[name])
    .map((name) => `${name}: ${have[name] ?? 'missing'}, without GuardKit ${want[name] ?? 'missing'}`)
    .sort();
}

export function countCommits({ project, env }) {
  return Number(
    execFileSync('git', ['rev-list', '--all', '--count'], { cwd: project, env, encoding: 'utf8' }),
  );
}

function stateOf({ project, home, env }) {
  const git = (...args) => execFileSync('git', args, { cwd: project, env, encoding: 'utf8' }).trim();
  const state = { HEAD: git('rev-parse', '--abbrev-ref', 'HEAD', 'HEAD').replace('\n', ' ') };
  for (const line of git('for-each-ref', '--format=%(refname) %(objectname)').split('\n')) {
    const [name, commit] = line.split(' ');
    state[name] = commit;
  }
  state['git status'] = git('status', '--porcelain');
  for (const entry of readdirSync(project, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const name = relative(project, path);
    if (!entry.isDirectory() && !LEFT_OUT.test(name)) state[name] = describeFile(path);
  }
  for (const name of HOME_FILES)
    if (existsSync(join(home, name))) state[`~/${name}`] = describeFile(join(home, name));
  return state;
}

function describeFile(path) {
  const mode = (lstatSync(path).mode & 0o777).toString(8);
  return `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12)}`;
}
