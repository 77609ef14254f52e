import { posix } from 'node:path';
import type { Repository } from '../../platform/repository.ts';

/** More files than this are not looked up by name; the whole suite is taken for their user then. */
const MOST_FILES = 200;
const TOO_GENERAL = new Set([
  'index',
  'main',
  'mod',
  '__init__',
  'types',
  'utils',
  'lib',
  'src',
  'test',
  'tests',
]);

/**
 * Which files of a tree name which of the given files, by path of the named one: in an import, or as a string. Undefined
 * where that cannot be found out.
 */
export async function findMentions(
  repository: Repository,
  tree: string,
  files: readonly string[],
): Promise<Map<string, Set<string>> | undefined> {
  const needles = new Map<string, string[]>();
  for (const file of files) {
    const needle = needleOf(file);
    if (needle !== '') needles.set(needle, [...(needles.get(needle) ?? []), file]);
  }
  if (needles.size === 0) return new Map();
  if (needles.size > MOST_FILES) return undefined;
  const patterns = [...needles.keys()].flatMap((needle) => ['-e', needle]);
  const found = await repository.attempt(['grep', '-I', '-z', '-F', '--full-name', ...patterns, tree]);
  // 1 is git's answer for "nowhere".
  if (found.truncated || (found.exitCode !== 0 && found.exitCode !== 1)) return undefined;
  const mentions = new Map<string, Set<string>>(files.map((file) => [file, new Set()]));
  for (const record of found.stdout.split('\n')) {
    const end = record.indexOf('\0');
    if (end === -1) continue;
    const path = record.slice(record.indexOf(':') + 1, end);
    const line = record.slice(end + 1);
    for (const [needle, named] of needles) {
      if (!holdsWord(line, needle)) continue;
      for (const file of named) if (file !== path) mentions.get(file)?.add(path);
    }
  }
  return mentions;
}

/** Code is imported with or without its ending; a general name says something only with its folder. */
function needleOf(file: string): string {
  const name = posix.basename(file);
  if (!/\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb)$/.test(name)) return name;
  const stem = name.slice(0, name.indexOf('.', 1));
  if (!TOO_GENERAL.has(stem)) return stem;
  const folder = posix.basename(posix.dirname(file));
  return folder === '.' || folder === '' ? stem : folder;
}

/** Not as a part of a longer word. */
function holdsWord(line: string, needle: string): boolean {
  for (let at = line.indexOf(needle); at !== -1; at = line.indexOf(needle, at + 1)) {
    const before = line[at - 1] ?? '';
    const after = line[at + needle.length] ?? '';
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
