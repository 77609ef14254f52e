import { posix } from 'node:path';
import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import {
  goReplacements,
  goTestMain,
  goWorkFolders,
  goWorkParts,
  gradleParts,
  mavenParts,
  vendoredJudge,
} from './build-files.ts';
import { cargoParts } from './cargo-manifest.ts';
import { readIniSections, readTomlSections, tomlBelow } from './config-sections.ts';
import { folderOf, type HarnessWalk, harnessPart, inFolder, under, unfollowedPart } from './harness-part.ts';
import { isJudge } from './installed-packages/judging-packages.ts';
import { isNativeBuild, nativeBuildParts } from './native-builds.ts';
import { addConftest } from './python-hooks.ts';
import { addKeys, nearestPackage } from './read-packages.ts';
import { fitsName, JS_RUNNERS, PYTHON_RUNNERS, RUNNERS, type Runner } from './runner-configs.ts';
import { replacedMacros } from './rust-macros.ts';

const MAX_READ = 3000;

/** Adds the configuration of a runner that starts in a folder. */
export async function addRunnerParts(walk: HarnessWalk, name: string, folder: string): Promise<void> {
  const runner = RUNNERS[name];
  if (runner === undefined || !walk.begin(`runner ${name} ${folder}`)) return;
  await addConfigFiles(walk, runner, folder, JS_RUNNERS.has(name));
  if (runner.packageKeys !== undefined)
    await addKeys(walk, await nearestPackage(walk, folder), runner.packageKeys);
  if (name === 'go') await addGoWork(walk, folder);
  if (!walk.begin(`runner ${name}`)) return;
  const { files } = await walk.reader.list();
  if (runner.pyproject !== undefined || runner.iniSections !== undefined)
    await addPythonSections(walk, runner, files);
  if (name === 'jest') for (const path of files.filter(mocksJudge)) await walk.addFile(path, 1);
  if (name === 'pytest') await eachText(walk, files, (file) => file === 'conftest.py', addConftest);
  if (PYTHON_RUNNERS.has(name))
    for (const path of shadowingModules(files, folder)) walk.add(harnessPart(path, IN_PLACE, ''));
  if (name === 'cargo') {
    await eachText(
      walk,
      files,
      (file) => file === 'Cargo.toml',
      async (path, text) => {
        for (const one of cargoParts(text)) walk.add(harnessPart(path, one.part, one.text));
      },
    );
    await eachText(
      walk,
      files,
      (file) => file.endsWith('.rs'),
      async (path, text) => {
        for (const one of replacedMacros(text)) walk.add(harnessPart(path, one.part, one.text));
      },
    );
    for (const file of files.filter((one) => /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(one)))
      await walk.addFile(file, 0);
  }
  if (name === 'go') {
    await addVendoredJudges(walk, files);
    await eachText(
      walk,
      files,
      (file) => file === 'go.mod' || file.endsWith('_test.go'),
      async (path, text) => {
        const main = goTestMain(text);
        const parts = posix.basename(path) === 'go.mod' ? goReplacements(text) : main ? [main] : [];
        for (const one of parts) walk.add(harnessPart(path, one.part, one.text));
      },
    );
  }
  if (name === 'maven' || name === 'gradle')
    for (const path of shadowingClasses(files)) walk.add(harnessPart(path, IN_PLACE, ''));
  if (name === 'maven') {
    await eachText(
      walk,
      files,
      (file) => file === 'pom.xml',
      async (path, text) => {
        for (const one of mavenParts(text)) walk.add(harnessPart(path, one.part, one.text));
      },
    );
    for (const file of files.filter((one) => one.startsWith('.mvn/'))) await walk.addFile(file, 0);
  }
  if (name === 'ctest' || name === 'meson')
    await eachText(walk, files, isNativeBuild, async (path, text) => {
      for (const one of nativeBuildParts(path, text)) walk.add(harnessPart(path, one.part, one.text));
    });
  if (name === 'gradle')
    await eachText(
      walk,
      files,
      (file) => /\.gradle(?:\.kts)?$|^gradle\.properties$|^gradle-wrapper\.properties$/.test(file),
      async (path, text) => {
        for (const one of gradleParts(text)) walk.add(harnessPart(path, one.part, one.text));
      },
    );
}

/** Jest takes a mock of an installed package without being told. */
function mocksJudge(path: string): boolean {
  const [, name] = /(?:^|\/)__mocks__\/((?:@[^/]+\/)?[^/]+)\.[cm]?[jt]sx?$/.exec(path) ?? [];
  return name !== undefined && isJudge(name);
}

/** Go looks for a go.work in the folders above too. */
async function addGoWork(walk: HarnessWalk, folder: string): Promise<void> {
  const { files } = await walk.reader.list();
  for (let at = folder; ; at = folderOf(at)) {
    const path = under(at, 'go.work');
    if (files.includes(path)) return addGoWorkFile(walk, path);
    if (at === '') return;
  }
}

async function addGoWorkFile(walk: HarnessWalk, path: string): Promise<void> {
  const text = await walk.reader.readText(path);
  if (text === undefined) return walk.addFile(path, 0);
  const names = new Map<string, string>();
  for (const module of goWorkFolders(text)) {
    const manifest = (await walk.reader.readText(posix.join(posix.dirname(path), module, 'go.mod'))) ?? '';
    names.set(module, /^module[ \t]+"?([^\s"]+)/m.exec(manifest)?.[1] ?? '');
  }
  for (const one of goWorkParts(text, (module) => names.get(module) ?? ''))
    walk.add(harnessPart(path, one.part, one.text));
}

/** Go does not check vendored code against go.sum. */
async function addVendoredJudges(walk: HarnessWalk, files: readonly string[]): Promise<void> {
  const texts = new Map<string, string[]>();
  for (const path of files) {
    const found = path.endsWith('.go') ? vendoredJudge(path) : undefined;
    if (found === undefined) continue;
    const place = `${found.vendor}/modules.txt\0vendored ${found.module}`;
    texts.set(place, [...(texts.get(place) ?? []), path, (await walk.reader.readText(path)) ?? '']);
  }
  for (const [place, all] of texts) {
    const [path = '', part = ''] = place.split('\0');
    walk.add(harnessPart(path, part, all.join('\n')));
  }
}

async function addConfigFiles(
  walk: HarnessWalk,
  runner: Runner,
  folder: string,
  mayNest: boolean,
): Promise<void> {
  const { files } = await walk.reader.list();
  const fitsSome = (path: string, patterns: readonly string[] = []) =>
    patterns.some((pattern) => fitsName(posix.basename(path), pattern));
  const folders = new Set(files.filter((path) => isOwnConfig(path, runner)).map(folderOf));
  const isConfig = (path: string) =>
    fitsSome(path, runner.files) || (fitsSome(path, runner.otherwise) && !folders.has(folderOf(path)));
  const here = files.filter((path) => inFolder(path, folder) && isConfig(path));
  const texts = await Promise.all(here.map(async (path) => (await walk.reader.readText(path)) ?? ''));
  const json = canonicalKeys(await nearestPackage(walk, folder), runner);
  const nests =
    mayNest && [...texts, json].some((text) => /\bprojects\b|\bworkspace\b|\bextends\b/.test(text));
  const nested = nests
    ? files.filter((path) => path.startsWith(folder === '' ? '' : `${folder}/`) && isConfig(path))
    : here;
  const below = files.filter(
    (path) => (folder === '' || path.startsWith(`${folder}/`)) && fitsSome(path, runner.nested),
  );
  const everywhere = files.filter((path) => (runner.anywhere ?? []).includes(posix.basename(path)));
  const prefix = folder === '' ? '' : `${folder}/`;
  // Without an `__init__`, Python takes the installed package instead of the folder.
  const isPackage = (name: string) => files.some((path) => path.startsWith(`${prefix}${name}/__init__.`));
  const shadows = (runner.below ?? []).filter(
    (glob) => !glob.endsWith('/**') || isPackage(glob.slice(0, -3)),
  );
  const shadowing = files.filter(
    (path) => path.startsWith(prefix) && shadows.some((glob) => fitsGlob(path.slice(prefix.length), glob)),
  );
  for (const path of new Set([...nested, ...below, ...everywhere, ...shadowing])) {
    await walk.addFile(path, 2);
    const text = await walk.reader.readText(path);
    const base = folderOf(path);
    if (text !== undefined) await walk.addNamedFiles(text, base, 1);
  }
}

/** A config file; a list of projects is added to one. */
function isOwnConfig(path: string, { files = [] }: Runner): boolean {
  const name = posix.basename(path);
  return files.some((pattern) => pattern.includes('.config.') && fitsName(name, pattern));
}

function canonicalKeys(found: { json: object } | undefined, runner: Runner): string {
  const keys = runner.packageKeys ?? [];
  return found === undefined
    ? ''
    : JSON.stringify(
        keys.map((key) => (Object.hasOwn(found.json, key) ? Reflect.get(found.json, key) : null)),
      );
}

async function addPythonSections(walk: HarnessWalk, runner: Runner, files: readonly string[]): Promise<void> {
  await eachText(
    walk,
    files,
    (file) => file === 'pyproject.toml',
    async (path, text) => {
      const sections = readTomlSections(text);
      for (const key of runner.pyproject ?? []) {
        const found = tomlBelow(sections, [key]);
        if (found === undefined) continue;
        if (found.includes('--cov')) walk.addRunner('coverage', folderOf(path));
        walk.add(harnessPart(path, `[${key}]`, found));
        await walk.addNamedFiles(found, folderOf(path), 1);
      }
    },
  );
  await eachText(
    walk,
    files,
    (file) => file === 'setup.cfg' || file === 'tox.ini',
    async (path, text) => {
      const starts = runner.iniSections?.[posix.basename(path)] ?? [];
      for (const section of readIniSections(text)) {
        if (!starts.some((start) => section.name.startsWith(start))) continue;
        const found = section.entries.map((entry) => entry.text).join('\n');
        if (found.includes('--cov')) walk.addRunner('coverage', folderOf(path));
        walk.add(harnessPart(path, `[${section.name}]`, found));
        await walk.addNamedFiles(found, folderOf(path), 1);
      }
    },
  );
}

/** Only that such code exists counts, since it may be the product. */
const IN_PLACE = 'in place of an installed package';

const JVM_JUDGES =
  /^(.*\/(?:org\/(?:junit|assertj|hamcrest|testng|mockito|spockframework)|junit\/framework|com\/google\/common\/truth|io\/kotest))\/.+\.(?:java|kt|scala|groovy)$/;

/** The first class in each package of an assertion library: the project's own classes come before installed ones. */
function shadowingClasses(files: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const path of [...files].sort()) {
    const folder = JVM_JUDGES.exec(path)?.[1];
    if (folder !== undefined && !first.has(folder)) first.set(folder, path);
  }
  return [...first.values()];
}

/** Packages whose functions decide whether a test passes. */
const PYTHON_JUDGES =
  /^(?:hamcrest|assertpy|sure|expects|numpy|pandas|hypothesis|parameterized|ddt|deepdiff|dirty_equals|syrupy|testfixtures|testtools|pytest_(?:mock|asyncio|subtests|django|check))$/;
const PYTHON_TEST = /^(?:test_.*|.*_test|conftest)\.py$/;

/**
 * Modules that Python takes before the installed package of that name: those in the folders of tests, and where the runner
 * starts.
 */
function shadowingModules(files: readonly string[], folder: string): string[] {
  const starts = new Set([folder, under(folder, 'src')]);
  for (const path of files) if (PYTHON_TEST.test(posix.basename(path))) starts.add(folderOf(path));
  return files.filter((path) => {
    const module = path.replace(/(?:\/__init__)?\.py$/, '');
    return module !== path && PYTHON_JUDGES.test(posix.basename(module)) && starts.has(folderOf(module));
  });
}

async function eachText(
  walk: HarnessWalk,
  files: readonly string[],
  fits: (name: string) => boolean,
  use: (path: string, text: string, walk: HarnessWalk) => Promise<void>,
): Promise<void> {
  const chosen = files.filter((path) => fits(posix.basename(path)));
  if (chosen.length > MAX_READ) walk.add(unfollowedPart('(tree)', 'too many files of one kind'));
  for (const path of chosen.slice(0, MAX_READ)) {
    // Tests may contain large tables.
    const text =
      (await walk.reader.readText(path)) ??
      (path.endsWith('_test.go') ? await walk.reader.readLongText(path) : undefined);
    if (text !== undefined) await use(path, text, walk);
    else await walk.addFile(path, 0);
  }
}
