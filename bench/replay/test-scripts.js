import { runCommand } from './run-command.js';

/** Scripts in package.json that `npm test` runs and that a commit changes. */
export async function changedTestScripts(folder, { commit, parent, paths }) {
  if (!paths.includes('package.json')) return [];
  const [before, after] = [await scriptsAt(folder, parent), await scriptsAt(folder, commit)];
  const used = new Set([...testChain(before), ...testChain(after)]);
  return [...used].filter((name) => before[name] !== after[name]).sort();
}

async function scriptsAt(folder, commit) {
  const { code, stdout } = await runCommand(`git show "${commit}:package.json"`, { cwd: folder });
  return code === 0 ? (JSON.parse(stdout).scripts ?? {}) : {};
}

/** Names of the scripts that `test` runs, directly or through others. */
function testChain(scripts) {
  const found = new Set();
  const follow = (name) => {
    if (found.has(name) || scripts[name] === undefined) return;
    found.add(name);
    for (const hook of [`pre${name}`, `post${name}`]) follow(hook);
    for (const word of scripts[name].split(/[\s"';&|()]+/)) follow(word);
  };
  follow('test');
  return found;
}
