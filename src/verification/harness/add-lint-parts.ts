import { posix } from 'node:path';
import { type HarnessWalk, harnessPart, inFolder } from './harness-part.ts';
import { fitsName, RUNNERS, type Runner } from './runner-configs.ts';

/** Adds code that a linter's settings execute, but not its rules. */
export async function addLintParts(walk: HarnessWalk, name: string, folder: string): Promise<void> {
  const { files } = await walk.reader.list();
  for (const path of files) {
    if (!inFolder(path, folder) || !isConfigOf(path, RUNNERS[name])) continue;
    const text = await walk.reader.readText(path);
    if (text === undefined) {
      await walk.addFile(path, 0);
      continue;
    }
    const active = activeLintLines(path, text);
    if (active !== '') walk.add(harnessPart(path, 'code of the settings', active));
    await walk.addNamedFiles(text, folder, 1);
  }
}

function isConfigOf(path: string, runner: Runner | undefined): boolean {
  return (runner?.files ?? []).some((pattern) => fitsName(posix.basename(path), pattern));
}

/** Calls that only compose settings. */
const HARMLESS_CALLS =
  /^(?:export default|module\.exports =) \w+\(|\b(?:defineConfig|globalIgnores|tseslint\.config|ts\.config|antfu|sxzz|neostandard|fixupPluginRules|fixupConfigRules|compat\.(?:extends|config|plugins|env)|includeIgnoreFile|Object\.(?:assign|fromEntries|entries|keys))\(/g;
const BUILT_IN =
  /^(?:node:|\.{0,2}\/|(?:fs|child_process|module|vm|worker_threads|process|os|net|http|https|cluster|inspector|v8|repl)(?:\/|$))/;
const LOADS = /(?:\bfrom\s{0,9}|\bimport\s{0,9}|\brequire\(\s{0,9})(['"])([^'"\n]{1,200})\1/g;
const CODE =
  /\(|=>|`|\b(?:function|class|new|await|async|process|eval|globalThis|for|while|if|throw|delete|import\.meta|Function|constructor|prototype)\b|\.\s{0,9}\w+\s{0,9}=[^=]/;

/**
 * The lines of a linter's settings that do more than list rules: calls, functions and imports from the tree. A linter
 * before the tests does not judge them, but its settings could run anything.
 */
function activeLintLines(path: string, text: string): string {
  if (/\.(?:json[c5]?|ya?ml|toml)$|rc$|ignore$/.test(path)) return '';
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:\/\/|\/?\*)/.test(line) && isActive(line))
    .join('\n');
}

function isActive(line: string): boolean {
  for (const match of line.matchAll(LOADS)) if (BUILT_IN.test(match[2] ?? '')) return true;
  const plain = line
    .replace(LOADS, '')
    .replace(/(['"])(?:(?!\1)[^\\\n]|\\.)*\1/g, '')
    .replace(HARMLESS_CALLS, '');
  return CODE.test(plain);
}
