import { posix } from 'node:path';
import type { Repository } from '../../platform/git/repository.ts';

/** Above this number, files are not looked up by name; the whole suite then counts as their user. */
const MOST_FILES = 200;
/** Files that can use others. */
const USERS = [
  'js',
  'cjs',
  'mjs',
  'jsx',
  'ts',
  'cts',
  'mts',
  'tsx',
  'py',
  'go',
  'rs',
  'java',
  'kt',
  'rb',
  'json',
  'toml',
];
const PATHSPECS = [...USERS, 'yaml', 'yml', 'cfg', 'ini', 'sh', 'mk'].map(
  (ending) => `:(glob)**/*.${ending}`,
);
const JS = /\.[cm]?[jt]sx?$/;
const QUOTED = /(['"`])([^'"`\n]{1,300})\1/g;

/**
 * Which files of a tree name which of the given files or folders, in an import or a string, by path of what is named.
 * Undefined if that is unknown.
 */
export async function findMentions(
  repository: Repository,
  tree: string,
  files: readonly string[],
): Promise<Map<string, Set<string>> | undefined> {
  const needles = new Map<string, string[]>();
  for (const file of files) needles.set(needleOf(file), [...(needles.get(needleOf(file)) ?? []), file]);
  const mentions = new Map<string, Set<string>>(files.map((file) => [file, new Set()]));
  if (needles.size === 0) return mentions;
  if (needles.size > MOST_FILES) return undefined;
  const patterns = [...needles.keys()].flatMap((needle) => ['-e', needle]);
  const command = ['grep', '-I', '-z', '-F', '--full-name', ...patterns, tree, '--', ...PATHSPECS];
  const found = await repository.attempt(command);
  // Exit 1 of git grep means no match.
  if (found.truncated || (found.exitCode !== 0 && found.exitCode !== 1)) return undefined;
  for (const record of found.stdout.split('\n')) {
    const end = record.indexOf('\0');
    if (end === -1) continue;
    const path = record.slice(record.indexOf(':') + 1, end);
    const line = record.slice(end + 1);
    for (const [needle, named] of needles) {
      if (!line.includes(needle)) continue;
      for (const file of named) if (file !== path && isNamed(file, path, line)) mentions.get(file)?.add(path);
    }
  }
  return mentions;
}

/** Common to all ways of naming the file: code may be imported without its extension, and an index by its folder. */
function needleOf(file: string): string {
  const name = posix.basename(file);
  if (!isCode(file)) return name;
  const stem = withoutEnding(name);
  const folder = posix.basename(posix.dirname(file));
  return /^(?:index|__init__|mod)$/.test(stem) && folder !== '' ? folder : stem;
}

function isNamed(file: string, user: string, line: string): boolean {
  if (file.endsWith('.py') && user.endsWith('.py') && /^\s*(?:from|import)\s/.test(line))
    return line.split(/[^\w]+/).includes(needleOf(file));
  const name = posix.basename(file);
  for (const [, , text = ''] of line.matchAll(QUOTED)) {
    if (text.startsWith('.') && JS.test(user) && isCode(file)) {
      const place = posix.normalize(posix.join(posix.dirname(user), text));
      const plain = withoutEnding(file);
      if ([place, withoutEnding(place), `${place}/index`].some((one) => one === plain || one === file))
        return true;
    } else if (isAtEnd(text, name) || text.includes(`/${name}`) || text.startsWith(`${name}/`)) return true;
  }
  if (JS.test(user)) return false;
  // A Rust file is used by a module declaration, or by its path.
  if (file.endsWith('.rs') && user.endsWith('.rs')) return declaresModule(line, needleOf(file));
  // Other languages name modules without quotes; elsewhere, as in settings, the whole name must match.
  const isSameLanguage = posix.extname(file) === posix.extname(user) && !user.endsWith('.py');
  return holdsWord(line, isSameLanguage ? needleOf(file) : name);
}

function isAtEnd(text: string, name: string): boolean {
  return text.slice(text.lastIndexOf('/') + 1) === name;
}

function declaresModule(line: string, name: string): boolean {
  return [...line.matchAll(/\bmod\s+(?:r#)?(\w+)/g)].some(([, declared]) => declared === name);
}

function isCode(file: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb)$/.test(file);
}

function withoutEnding(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb)$/, '');
}

/** Not as part of a longer word. */
function holdsWord(line: string, needle: string): boolean {
  for (let at = line.indexOf(needle); at !== -1; at = line.indexOf(needle, at + 1)) {
    const before = line[at - 1] ?? '';
    const after = line[at + needle.length] ?? '';
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
