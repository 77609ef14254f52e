import { extname } from 'node:path';
import { runCommand } from './run-command.js';

// Strings come first, so that a comment sign inside one does not count.
const SLASHES =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g;
const HASH = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<comment>#[^\n]*)/g;
// Comments that change how the code is built, run or measured.
const DIRECTIVE =
  /^(?:\/\/go:|\/\/ ?\+build|#!|\/[/*]\s*@ts-|[/#*\s]*(?:pragma|noqa|type:|c8|v8|istanbul)\b)/;

/** Whether a commit changes only comments and whitespace in the given files and deletes none of them. */
export async function changesOnlyComments(folder, { commit, parent, paths }) {
  for (const path of paths) {
    const [before, after] = [await fileAt(folder, parent, path), await fileAt(folder, commit, path)];
    if (before === undefined || after === undefined) return false;
    if (withoutComments(before, path) !== withoutComments(after, path)) return false;
  }
  return paths.length > 0;
}

function withoutComments(text, path) {
  const pattern = extname(path) === '.py' ? HASH : SLASHES;
  return text
    .replace(pattern, (found, ...rest) =>
      rest.at(-1).comment === undefined || DIRECTIVE.test(found) ? found : '',
    )
    .replace(/\s+$/gm, '')
    .replace(/\n{2,}/g, '\n');
}

async function fileAt(folder, commit, path) {
  const shown = await runCommand(`git show "${commit}:${path}"`, { cwd: folder });
  return shown.code === 0 ? shown.stdout : undefined;
}
