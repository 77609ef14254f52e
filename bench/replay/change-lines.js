import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './run-command.js';

/** The numbers of the lines that a commit added to a file, in the file as the commit left it. */
export async function addedLines(folder, commit, path) {
  const diff = await mustRun(`git diff -U0 --no-renames ${commit}^ ${commit} -- "${path}"`, { cwd: folder });
  const added = new Set();
  for (const [, start, count = '1'] of diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)) {
    for (let line = Number(start); line < Number(start) + Number(count); line++) added.add(line);
  }
  return added;
}

/** Applies a function to the lines of a file that a commit added; returns how many it changed. */
export async function editAddedLines(folder, commit, path, edit) {
  const file = join(folder, path);
  if (!existsSync(file)) return 0;
  const added = await addedLines(folder, commit, path);
  let changed = 0;
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line, index) => {
      const edited = added.has(index + 1) ? edit(line) : line;
      if (edited !== line) changed++;
      return edited;
    });
  writeFileSync(file, lines.join('\n'));
  return changed;
}
