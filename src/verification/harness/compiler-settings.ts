import { posix } from 'node:path';
import { canonicalJson } from '../../domain/json/json.ts';
import { addRunnerParts } from './add-runner-parts.ts';
import type { CommandWalk } from './follow-commands.ts';
import { folderOf, type HarnessWalk, harnessPart } from './harness-part.ts';
import { isJudge } from './installed-packages/judging-packages.ts';
import { parseJsonWithComments } from './json-with-comments.ts';
import { entries, listOf, own } from './read-packages.ts';
import { insidePath } from './tree-reader.ts';

/** Programs and modules that compile tests when they are loaded. */
const BABEL = /(?:@babel\/|\bbabel-)(?:register|node|core|jest|loader|tape-runner)\b|\bplugin-babel\b/;
const SWC = /@swc(?:-node)?\/(?:register|jest|core)\b|\bswc-(?:node|loader)\b|\bunplugin-swc\b/;
const TS_NODE = /\bts-(?:node|mocha)\b|\bTS_NODE_/;

/** Vitest checks the types in test files, in its configuration or as an option. */
const TYPE_TESTS = /\btypecheck\s*:|--typecheck\b/;

const TSCONFIG = /^(?:ts|js)config(?:\.[\w.-]+)?\.json$/;
const MAX_EXTENDED = 20;

const STRICTNESS = [
  'strict',
  'noCheck',
  'noImplicitAny',
  'noImplicitThis',
  'strictBindCallApply',
  'strictFunctionTypes',
  'strictNullChecks',
  'strictPropertyInitialization',
  'exactOptionalPropertyTypes',
  'noUncheckedIndexedAccess',
];

/** Adds the settings of the compilers through which tests are loaded. */
export async function addCompilerSettings(
  walk: CommandWalk,
  files: readonly string[],
  commands: readonly string[],
): Promise<void> {
  const texts = [...commands, ...[...walk.parts.values()].map(({ text }) => text)];
  const isUsed = (names: RegExp) => texts.some((text) => names.test(text));
  const folders = new Set([...walk.runners.values()].map(({ folder }) => folder));
  for (const folder of folders.size === 0 ? [''] : folders) {
    if (isUsed(BABEL)) await addRunnerParts(walk, 'babel', folder);
    if (isUsed(SWC)) await addRunnerParts(walk, 'swc', folder);
  }
  const tsNode = isUsed(TS_NODE);
  const typeTests = isUsed(TYPE_TESTS);
  const isNamed = (name: string) => name === 'tsconfig.json' || texts.some((text) => text.includes(name));
  for (const path of files) {
    const name = posix.basename(path);
    if (!TSCONFIG.test(name)) continue;
    await addTsconfig(walk, path, { tsNode, typeTests: typeTests && isNamed(name) }, MAX_EXTENDED);
  }
}

/** Its settings, without those for imports. */
interface UsesOfTsconfig {
  tsNode: boolean;
  typeTests: boolean;
}

/** A tsconfig.json, and those that it extends, whatever their names. */
async function addTsconfig(
  walk: HarnessWalk,
  path: string,
  uses: UsesOfTsconfig,
  deep: number,
): Promise<void> {
  if (!walk.begin(`tsconfig ${path}${uses.typeTests ? ' with type tests' : ''}`)) return;
  const text = await walk.reader.readText(path);
  if (text === undefined) return walk.addFile(path, 0);
  const json = parseJsonWithComments(text);
  const settings = [
    ...redirectedImports(text, own(own(json, 'compilerOptions'), 'paths')),
    ...transformers(json),
    ...(uses.tsNode ? tsNodeSection(json) : []),
  ];
  if (settings.length > 0) {
    walk.add(harnessPart(path, 'settings', settings.join('\n')));
    await walk.addNamedFiles(settings.join('\n'), folderOf(path), 1);
  }
  const checked = uses.typeTests ? checkedTypes(json) : [];
  if (checked.length > 0) walk.add(harnessPart(path, 'type checks', checked.join('\n')));
  const value = own(json, 'extends');
  for (const word of typeof value === 'string' ? [value] : listOf(value)) {
    if (typeof word !== 'string' || !/^\.{0,2}\//.test(word) || deep === 0) continue;
    const base = insidePath(posix.join(folderOf(path) || '.', word));
    for (const next of base === undefined ? [] : [base, `${base}.json`])
      if ((await walk.reader.read(next)) !== undefined) await addTsconfig(walk, next, uses, deep - 1);
  }
}

const BUILT_IN_JUDGES = /^(?:(?:node:)?assert(?:\/strict)?|node:test)$/;

/**
 * Settings that take an import of a package that judges, or of Node's own assertions, from somewhere else: tsx, bun and
 * others follow them when they run tests. Also read as text, since not every program reads the same file in the same way.
 */
function redirectedImports(text: string, paths: unknown): string[] {
  const found = [...text.matchAll(/"([^"\n]{1,200})"\s*:\s*(\[[^\]]{0,1000}\])/g)].map(
    ([, key = '', to = '']) => [key, to.replace(/\s+/g, '')] as const,
  );
  const parsed = entries(paths).map(([key, to]) => [key, JSON.stringify(to)] as const);
  const all = [...found, ...parsed].filter(([key]) => {
    const name = key.replace(/\/\*$/, '');
    // With escapes it may be any.
    return isJudge(name) || BUILT_IN_JUDGES.test(name) || name === '*' || name.includes('\\');
  });
  return [...new Set(all.map(([key, to]) => `${key} ${to}`))];
}

/** Plugins of a patched TypeScript that change the compiled code; others only help editors. */
function transformers(json: unknown): string[] {
  return listOf(own(own(json, 'compilerOptions'), 'plugins'))
    .filter((one) => own(one, 'transform') !== undefined)
    .map((one) => canonicalJson(one));
}

function tsNodeSection(json: unknown): string[] {
  const section = own(json, 'ts-node');
  return section === undefined ? [] : [`ts-node ${canonicalJson(section)}`];
}

/** Which files are checked, and how strictly. Of a file that is not, every type test passes. */
function checkedTypes(json: unknown): string[] {
  const options = own(json, 'compilerOptions');
  const checked = [
    ...['files', 'include', 'exclude'].map((name) => [name, own(json, name)] as const),
    ...STRICTNESS.map((name) => [name, own(options, name)] as const),
  ];
  return checked.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${canonicalJson(value)}`]));
}
