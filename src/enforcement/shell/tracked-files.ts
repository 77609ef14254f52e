import { readdirSync } from 'node:fs';
import { gitBytesSync } from '../../platform/git/git-sync.ts';
import { type BytePath, bytesOf, toBytePath } from './byte-path.ts';

/** Everything that may be protected in a checkout, as git selects paths. */
const PROTECTED = [
  ...['.guardkit', 'tasks', '.codex', '.gemini', '.cursor', '.opencode', '.qwen', '.husky', '.mcp.json'],
  ':(glob)**/.claude/**',
];

/** The tracked files among them, relative to the checkout. Without git's answer nothing counts as tracked. */
export function trackedFiles(gitDir: string, further: readonly BytePath[]): BytePath[] {
  const paths = [...PROTECTED, ...further.map((path) => bytesOf(path).toString('utf8'))];
  const output = gitBytesSync(gitDir, ['ls-files', '-z', '--cached', '--', ...paths]);
  return output?.toString('latin1').split('\0').filter(Boolean) ?? [];
}

/** The tracked files that fit a pattern of `protected:`. */
export function trackedByGlob(gitDir: string, globs: readonly string[]): BytePath[] {
  if (globs.length === 0) return [];
  const output = gitBytesSync(gitDir, [
    'ls-files',
    '-z',
    '--cached',
    '--',
    ...globs.map((glob) => `:(glob)${glob}`),
  ]);
  return output?.toString('latin1').split('\0').filter(Boolean).slice(0, MAX_BY_GLOB) ?? [];
}

const MAX_BY_GLOB = 300;
const MAX_FOLDERS = 1500;
const MAX_DEPTH = 5;
/** Big, and no place that an agent is started in. */
const SKIPPED = new Set(
  '.git node_modules .venv venv target dist build out vendor __pycache__ .cache .next .claude'.split(' '),
);

/** `.claude` folders below a checkout, relative: in tracked paths, and by a bounded walk for the ones git does not track. */
export function nestedClaudeFolders(root: BytePath, tracked: readonly BytePath[]): BytePath[] {
  const found = new Set<BytePath>();
  for (const path of tracked) {
    const at = path.indexOf('/.claude/');
    if (at > 0) found.add(path.slice(0, at + '/.claude'.length));
  }
  let level = [''];
  let looked = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: BytePath[] = [];
    for (const folder of level) {
      if (looked++ >= MAX_FOLDERS) return [...found].sort();
      for (const name of subfolders(`${root}/${folder}`)) {
        if (name === '.claude' && folder !== '') found.add(`${folder}.claude`);
        if (!SKIPPED.has(name)) next.push(`${folder}${name}/`);
      }
    }
    level = next;
  }
  return [...found].sort();
}

function subfolders(folder: BytePath): BytePath[] {
  try {
    return readdirSync(bytesOf(folder), { withFileTypes: true, encoding: 'buffer' })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name.toString('latin1'));
  } catch {
    // Safe: an agent cannot read it either.
    return [];
  }
}

export interface SplitGlobs {
  /** Folders and files without a wildcard, relative. */
  literal: BytePath[];
  /** The rest. */
  patterns: string[];
}

/** A glob that means one path, or everything in one folder, needs no search. */
export function splitGlobs(globs: readonly string[]): SplitGlobs {
  const split: SplitGlobs = { literal: [], patterns: [] };
  for (const glob of globs) {
    const plain = glob.replace(/^\.\//, '').replace(/\/(?:\*\*)?$/, '');
    if (plain === '' || plain.startsWith('/') || plain.split('/').includes('..')) continue;
    if (/[*?[\]{}!\\]/.test(plain)) split.patterns.push(plain);
    else split.literal.push(toBytePath(plain));
  }
  return split;
}
