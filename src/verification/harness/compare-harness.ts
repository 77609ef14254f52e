import { posix } from 'node:path';
import { sha256 } from '../../domain/json/json.ts';
import { isFormattingOnly } from './formatting/is-formatting-only.ts';
import {
  EXPECTED_RESULT,
  FOLDER_LIST,
  type HarnessPart,
  HONEST_TEST_MAIN,
  LOCKED,
  PACKAGE_NAME,
  PROGRAM,
  REGISTERED,
  WHOLE_FILE,
} from './harness-part.ts';

export interface HarnessChange {
  type: 'changed' | 'added' | 'removed';
  path: string;
  part: string;
  /** The difference before and after, cut to a readable length; null if there is nothing. */
  before: string | null;
  after: string | null;
  /** The line of the candidate's file where the change starts, if known. */
  line?: number;
  /** The change in one sentence. */
  words: string;
}

const MAX_SHOWN = 240;
const ORDER = { changed: 0, added: 1, removed: 2 } as const;
/** Belongs to a package; in a folder that the base lacks, it cannot change how the base's commands ran. */
const PACKAGE_FILE =
  /^(?:package\.json|project\.json|Cargo\.toml|pom\.xml|.*\.gradle(?:\.kts)?|(?:vitest|vite|jest|babel|ava|playwright)\.config\..*|\.mocharc.*)$/;

/** The base's command names a program or a result that the base lacks: creating it is the work. */
const QUIETLY_ADDED: ReadonlySet<string> = new Set([HONEST_TEST_MAIN, PROGRAM, EXPECTED_RESULT]);

/** The candidate's changes to the base's harness. */
export function compareHarness(
  base: readonly HarnessPart[],
  candidate: readonly HarnessPart[],
): HarnessChange[] {
  const before = byPlace(base);
  const after = byPlace(candidate);
  const folders = foldersOf(base);
  const moves = findMoves(before, after, folders, foldersOf(candidate));
  const changes: HarnessChange[] = [];
  for (const [place, part] of after) {
    const old = before.get(place);
    if (old === undefined) {
      if (!moves.added.has(place) && !isQuietAddition(part, folders))
        changes.push(change('added', null, part));
    } else if (old.digest !== part.digest && part.part !== HONEST_TEST_MAIN && !isReformatted(old, part))
      changes.push(change('changed', old, part));
  }
  for (const [place, part] of before)
    if (!after.has(place) && !moves.removed.has(place) && !part.part.startsWith(LOCKED))
      changes.push(change('removed', part, null));
  // The first change: the rest often follows from it.
  return changes.sort(
    (a, b) => ORDER[a.type] - ORDER[b.type] || compareText(a.path, b.path) || compareText(a.part, b.part),
  );
}

function foldersOf(parts: readonly HarnessPart[]): Set<string> {
  return new Set(parts.find(isFolderList)?.text.split('\n'));
}

/**
 * The parts in folders that only have another name now, by place: those of the old folder and those of the new one, if both
 * have the same. A workspace without patterns for folders may leave the new one out.
 */
function findMoves(
  before: ReadonlyMap<string, HarnessPart>,
  after: ReadonlyMap<string, HarnessPart>,
  oldFolders: ReadonlySet<string>,
  newFolders: ReadonlySet<string>,
): { removed: Set<string>; added: Set<string> } {
  const removed = new Set<string>();
  const added = new Set<string>();
  const parents = new Set(
    [...before.values()].flatMap(({ part }) => part.split(`${REGISTERED}workspaces `)[1] ?? []),
  );
  const inside = (parts: ReadonlyMap<string, HarnessPart>, folder: string) =>
    [...parts].filter(([, { path }]) => path.startsWith(`${folder}/`));
  const describe = (parts: readonly [string, HarnessPart][], folder: string) =>
    parts
      .map(([place, { digest }]) => `${place.slice(folder.length)}\0${digest}`)
      .sort()
      .join('\n');
  const gone = [...oldFolders].filter((one) => !newFolders.has(one));
  const fresh = [...newFolders].filter((one) => !oldFolders.has(one));
  for (const from of gone) {
    const parts = inside(before, from);
    const parent = posix.dirname(from);
    if (parts.length === 0 || !parents.has(`${parent}/*`)) continue;
    for (const to of fresh.filter((one) => posix.dirname(one) === parent)) {
      const now = inside(after, to);
      if (now.some(([place]) => added.has(place)) || describe(parts, from) !== describe(now, to)) continue;
      for (const [place] of parts) removed.add(place);
      for (const [place] of now) added.add(place);
      break;
    }
  }
  return { removed, added };
}

/** Other parts are commands or already without their formatting. */
function isReformatted(old: HarnessPart, now: HarnessPart): boolean {
  const isText = now.part === WHOLE_FILE || (now.path.endsWith('.toml') && now.part.startsWith('['));
  // The text of a large file is cut, or only describes it.
  const isComplete = [old, now].every(({ text, digest }) => sha256(text) === digest);
  return isText && isComplete && isFormattingOnly(now.path, old.text, now.text);
}

function isQuietAddition(part: HarnessPart, folders: ReadonlySet<string>): boolean {
  if (QUIETLY_ADDED.has(part.part)) return true;
  if (part.part === PACKAGE_NAME) return false;
  if ([LOCKED, REGISTERED].some((prefix) => part.part.startsWith(prefix))) return true;
  const folder = posix.dirname(part.path);
  return (
    folder !== '.' && folders.size > 0 && !folders.has(folder) && PACKAGE_FILE.test(posix.basename(part.path))
  );
}

function byPlace(parts: readonly HarnessPart[]): Map<string, HarnessPart> {
  return new Map(
    parts.filter((part) => !isFolderList(part)).map((part) => [`${part.path}\0${part.part}`, part]),
  );
}

function isFolderList({ path, part }: HarnessPart): boolean {
  return path === FOLDER_LIST.path && part === FOLDER_LIST.part;
}

function change(
  type: HarnessChange['type'],
  old: HarnessPart | null,
  now: HarnessPart | null,
): HarnessChange {
  const { path = '', part = '' } = now ?? old ?? {};
  const [before, after] = shownDifference(old?.text ?? null, now?.text ?? null);
  return { type, path, part, before, after, words: words(type, path, part, before, after) };
}

function words(
  type: string,
  path: string,
  part: string,
  before: string | null,
  after: string | null,
): string {
  const what = part === 'whole file' ? path : `${path}, ${part},`;
  if (type === 'added') return `${what} was added${after ? `: ${oneLine(after)}` : ''}`;
  if (type === 'removed') return `${what} was removed${before ? `: ${oneLine(before)}` : ''}`;
  return `${what} was changed from ${oneLine(before ?? '') || '(nothing)'} to ${oneLine(after ?? '') || '(nothing)'}`;
}

/** The lines around the first and the last difference. */
function shownDifference(before: string | null, after: string | null): [string | null, string | null] {
  if (before === null || after === null) return [shorten(before), shorten(after)];
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1;
  return [
    shorten(old.slice(start, old.length - end).join('\n')),
    shorten(now.slice(start, now.length - end).join('\n')),
  ];
}

function shorten(text: string | null): string | null {
  return text === null || text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
