import { posix } from 'node:path';
import { escapePattern } from '../../domain/escape-pattern.ts';
import type { Repository } from '../../platform/git/repository.ts';

/** The longest chain of files between the product and a file that it uses. */
const MOST_STEPS = 5;
/** More files than this are fixtures, which the product does not import. */
const MOST_FILES = 100;
const JS = /\.(?:[cm]?[jt]sx?|json)$/;
const GO = /(?<!_test)\.go$/;
const INDEX = /\/(?:index\.(?:[cm]?[jt]sx?|json)|__init__\.py)$/;
const JS_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"`])([^'"`\n]{1,300})\1/g;
const PYTHON_IMPORT = /^\s*(?:from\s+(\.*)([\w.]*)\s+import\s+(.*)|import\s+([\w., ]+))/;

/**
 * Of some files, those that product code imports, directly or through others: they belong to the product, whatever their
 * folders are called. Only plain imports count.
 */
export async function importedByProduct(
  repository: Repository,
  tree: string,
  files: readonly string[],
  isProduct: (path: string) => boolean,
): Promise<Set<string>> {
  const found = new Set<string>();
  const users = new Map<string, ReadonlySet<string>>();
  let open = files.filter((file) => file.endsWith('.py') || JS.test(file) || GO.test(file));
  if (open.length > MOST_FILES) return found;
  for (let step = 0; step < MOST_STEPS && open.length > 0; step += 1) {
    for (const [file, own] of await findImporters(repository, tree, open)) users.set(file, own);
    open = [...new Set(open.flatMap((file) => [...(users.get(file) ?? [])]))].filter(
      (file) => !users.has(file) && !isProduct(file),
    );
  }
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [file, own] of users)
      if ([...own].some((user) => isProduct(user) || found.has(user))) found.add(file);
  }
  return new Set(files.filter((file) => found.has(file)));
}

async function findImporters(
  repository: Repository,
  tree: string,
  files: readonly string[],
): Promise<Map<string, Set<string>>> {
  const importers = new Map(files.map((file) => [file, new Set<string>()]));
  const patterns = [...new Set(files.map(patternOf))].flatMap((pattern) => ['-e', pattern]);
  const command = ['grep', '-I', '-z', '-E', '--full-name', ...patterns, tree, '--'];
  const { stdout } = await repository.attempt([...command, ...PATHSPECS]);
  for (const record of stdout.split('\n')) {
    const end = record.indexOf('\0');
    if (end === -1) continue;
    const user = record.slice(record.indexOf(':') + 1, end);
    const line = record.slice(end + 1);
    for (const [file, own] of importers) if (file !== user && imports(user, line, file)) own.add(user);
  }
  return importers;
}

const PATHSPECS = ['js', 'cjs', 'mjs', 'jsx', 'ts', 'cts', 'mts', 'tsx', 'vue', 'svelte', 'py', 'go'].map(
  (ending) => `:(glob)**/*.${ending}`,
);

/** Fits every line that imports the file, and others; as an extended regular expression of git. */
function patternOf(file: string): string {
  const folder = escapePattern(posix.basename(posix.dirname(file)));
  if (file.endsWith('.go')) return `/${folder}"`;
  const stem = INDEX.test(file) ? folder : escapePattern(posix.basename(withoutEnding(file)));
  if (file.endsWith('.py')) return `^[[:space:]]*(from|import)[[:space:]].*${stem}`;
  return `/${stem}(/index)?(\\.[a-z]+)?/?['"\`]`;
}

function imports(user: string, line: string, file: string): boolean {
  if (file.endsWith('.go'))
    return GO.test(user) && line.includes(`/${posix.dirname(file)}"`) && posix.dirname(file) !== '.';
  if (file.endsWith('.py')) return user.endsWith('.py') && importsModule(user, line, file);
  if (user.endsWith('.py') || user.endsWith('.go')) return false;
  return [...line.matchAll(JS_IMPORT)].some(([, , text = '']) => {
    const [, rest] = /^(?:[@~#]|src)\/(.*)/.exec(text) ?? [];
    const places = rest === undefined ? [posix.join(posix.dirname(user), text)] : [rest, `src/${rest}`];
    if (rest === undefined && !text.startsWith('.')) return false;
    return places.some((place) => namesFile(place.replace(/\/$/, ''), file));
  });
}

function namesFile(place: string, file: string): boolean {
  if (place === file) return true;
  if (file.endsWith('.json')) return false;
  return withoutEnding(place) === withoutEnding(file) || (INDEX.test(file) && place === posix.dirname(file));
}

function importsModule(user: string, line: string, file: string): boolean {
  const [, dots = '', from = '', names = '', plain = ''] = PYTHON_IMPORT.exec(line) ?? [];
  const module = INDEX.test(file) ? posix.dirname(file) : withoutEnding(file);
  const isModule = (place: string, isRelative: boolean) =>
    module === place || (!isRelative && place.includes('/') && module.endsWith(`/${place}`));
  const list = (text: string) => text.split(',').map((one) => one.trim().split(/\s/)[0] ?? '');
  if (plain !== '') return list(plain).some((one) => isModule(one.replaceAll('.', '/'), false));
  const isRelative = dots !== '';
  const start = isRelative ? posix.join(posix.dirname(user), '../'.repeat(dots.length - 1)) : '';
  const place = posix.join(start, from.replaceAll('.', '/')).replace(/\/$/, '');
  const named = list(names.replace(/^\(|[)#].*/g, '')).map((one) => posix.join(place, one));
  return [place, ...named].some((one) => isModule(one, isRelative));
}

function withoutEnding(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|py)$/, '');
}
