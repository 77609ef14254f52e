import { posix } from 'node:path';
import type { Repository } from '../../platform/git/repository.ts';
import type { TreeComparison } from '../compare-trees.ts';
import { groupBy } from '../test-files/match-tests.ts';
import { isTestSide } from '../test-side/find-test-side.ts';
import { readFiles } from '../test-side/read-files.ts';
import { answersIn, questionsIn, type TestQuestion } from './asks-if-tested.ts';
import { equalToEverything } from './equals-everything.ts';

export interface ProductChange {
  tree: string;
  /** The changed product code, by path. */
  sources: ReadonlyMap<string, string>;
  changed: ReadonlyMap<string, ReadonlySet<number>>;
  isAccepted(path: string): boolean;
}

/** Places, as `file:line`, in changed product code that make its tests prove less. */
export interface DoubtfulPlaces {
  /** It asks whether it is being tested. */
  testQuestions: string[];
  /** Its values are equal to everything. */
  equalities: string[];
}

/** Places that the change only moves or formats do not count. */
export async function findDoubtfulPlaces(
  repository: Repository,
  comparison: TreeComparison,
  product: ProductChange,
): Promise<DoubtfulPlaces> {
  const answers = await answersOfModules(repository, comparison, product);
  const known = (path: string, text: string) =>
    answers.flatMap(({ module, names }) => (namesModule(path, text, module) ? names : []));
  return {
    testQuestions: await newPlaces(repository, comparison, product, (path, text) =>
      questionsIn(path, text, known(path, text)),
    ),
    equalities: await newPlaces(repository, comparison, product, equalToEverything),
  };
}

async function newPlaces(
  repository: Repository,
  { changes, baseEntries }: TreeComparison,
  { sources, changed, isAccepted }: ProductChange,
  find: (path: string, text: string) => TestQuestion[],
): Promise<string[]> {
  const asked = [...sources]
    .flatMap(([path, text]) => find(path, text).map((question) => ({ path, ...question })))
    .filter(({ path }) => !isAccepted(path));
  const isAdded = ({ path, lines }: (typeof asked)[number]) =>
    lines.some((line) => changed.get(path)?.has(line));
  if (!asked.some(isAdded)) return [];
  const paths = changes.map(({ path }) => path).filter((path) => !isTestSide(path));
  const before = await readFiles(repository, baseEntries, new Set(paths));
  const known = groupBy(
    before.flatMap(({ path, text }) => find(path, text)),
    ({ words }) => words,
  );
  const fresh = [...groupBy(asked, ({ words }) => words)].flatMap(([words, questions]) =>
    questions.length > (known.get(words)?.length ?? 0) ? questions.filter(isAdded) : [],
  );
  const places = new Map<string, Set<number>>();
  for (const { path, lines } of fresh)
    for (const line of lines)
      if (changed.get(path)?.has(line)) places.set(path, (places.get(path) ?? new Set()).add(line));
  return [...places].flatMap(([path, lines]) =>
    [...lines].sort((a, b) => a - b).map((line) => `${path}:${line}`),
  );
}

interface ModuleAnswers {
  module: string;
  names: string[];
}

/** The product's modules that hold the name of the environment for others. */
async function answersOfModules(
  repository: Repository,
  { entries }: TreeComparison,
  { tree, sources }: ProductChange,
): Promise<ModuleAnswers[]> {
  const suspects = [...sources].filter(([path, text]) => JS.test(path) && /['"`]tests?['"`]/.test(text));
  if (suspects.length === 0) return [];
  const found = await repository.attempt([
    'grep',
    '-I',
    '-z',
    '-l',
    '-F',
    '--full-name',
    '-e',
    'NODE_ENV',
    tree,
  ]);
  if (found.exitCode !== 0) return [];
  const paths = found.stdout
    .split('\0')
    .map((one) => one.slice(one.indexOf(':') + 1))
    .filter((path) => JS.test(path) && !isTestSide(path))
    .slice(0, MOST_MODULES);
  const files = await readFiles(repository, entries, new Set(paths));
  return files.flatMap(({ path, text }) => {
    const names = answersIn(path, text);
    return names.length === 0 ? [] : [{ module: path.replace(JS, ''), names }];
  });
}

const JS = /\.[cm]?[jt]sx?$/;
const MOST_MODULES = 50;
const IMPORTED = /\b(?:from|import|require)\b\s{0,9}\(?\s{0,9}['"]([^'"\n]{1,300})['"]/g;

function namesModule(path: string, text: string, module: string): boolean {
  return [...text.matchAll(IMPORTED)].some(([, name = '']) => {
    if (!name.startsWith('.')) return false;
    const place = posix.join(posix.dirname(path), name);
    return [place, place.replace(JS, ''), `${place}/index`].includes(module);
  });
}
