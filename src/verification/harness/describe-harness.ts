import { posix } from 'node:path';
import { addLintParts } from './add-lint-parts.ts';
import { addRunnerParts } from './add-runner-parts.ts';
import { npmrcSettings, yamlKeys } from './build-files.ts';
import { addCompilerSettings } from './compiler-settings.ts';
import { CommandWalk } from './follow-commands.ts';
import { FOLDER_LIST, folderOf, type HarnessPart, harnessPart, unfollowedPart } from './harness-part.ts';
import { addLockedPackages } from './installed-packages/add-locked-packages.ts';
import { addPatches } from './installed-packages/add-patches.ts';
import { addRedirects } from './installed-packages/add-redirects.ts';
import { findProductFiles } from './product-files.ts';
import { LINTERS, MERE_LAUNCHERS, PYTHON_RUNNERS, TEST_RUNNERS } from './runner-configs.ts';
import { TreeReader } from './tree-reader.ts';

/** Installs dependencies and judges nothing. */
const INSTALL =
  /^(?:(?:npm|pnpm|bun) (?:ci|i|install|clean-install)|yarn(?: install)?|(?:python3? -m )?pip3? install|uv (?:sync|pip)|(?:poetry|pdm|pipenv|bundle|composer) install|go mod|cargo fetch|mvn\b.*dependency:)(?:\s|$)/;

export interface DescribeOptions {
  measuresCoverage?: boolean;
  /** The commands that prepare and run tests: a linter before the tests does not judge them. */
  testing?: readonly string[];
}

/**
 * Describes the harness of commands in a checked-out tree: scripts, targets, runner configs, and the files that these
 * name. Runs nothing and reads nothing outside the tree. Anything that cannot be followed becomes a part with the
 * reason.
 */
export async function describeHarness(
  root: string,
  commands: readonly string[],
  { measuresCoverage = false, testing = [] }: DescribeOptions = {},
): Promise<HarnessPart[]> {
  const reader = await TreeReader.open(root);
  const { files, folders, complete } = await reader.list();
  const known = new Set(files);
  const product = await findProductFiles(reader, files, known);
  const walk = new CommandWalk(reader, known, product);
  if (!complete) walk.add(unfollowedPart('(tree)', 'it has too many files'));
  const lint: { runner: string; folder: string }[] = [];
  for (const command of commands) {
    // Each separately, so that the findings of one command do not count for another.
    const own = new CommandWalk(reader, known, product);
    await own.follow(command, '');
    for (const part of own.parts.values()) walk.add(part);
    const met = [...own.runners.values()];
    for (const { runner, folder } of met)
      if (LINTERS.has(runner) && testing.includes(command)) lint.push({ runner, folder });
      else walk.addRunner(runner, folder);
    if (isUnknown(command, own)) for (const runner of TEST_RUNNERS) walk.addRunner(runner, '');
  }
  for (const { runner, folder } of walk.runners.values()) {
    // Settings of coverage.py count whenever coverage comes from a Python run.
    if (measuresCoverage && PYTHON_RUNNERS.has(runner)) walk.addRunner('coverage', folder);
    await addRunnerParts(walk, runner, folder);
  }
  for (const { runner, folder } of lint) await addLintParts(walk, runner, folder);
  await addCompilerSettings(walk, files, commands);
  await addPackageManagerSettings(walk, files);
  const isNeeded = await addLockedPackages(walk, files);
  await addRedirects(walk, isNeeded);
  await addPatches(walk, files, isNeeded);
  if (await reader.isFolder('node_modules'))
    walk.add(harnessPart('node_modules', 'a folder of the tree, in place of installed packages', ''));
  const parts = [...walk.parts.values()].sort(byPlace);
  const list = folders.join('\n');
  return [...parts, { ...harnessPart(FOLDER_LIST.path, FOLDER_LIST.part, list), text: list }];
}

/** Whether a command may end in any runner: none was found, and it starts something that cannot be followed. */
function isUnknown(command: string, { runners, opaque }: CommandWalk): boolean {
  if (INSTALL.test(command) && !/[;&|]/.test(command)) return false;
  const judges = [...runners.values()].some(
    ({ runner }) => runner !== 'plain' && !MERE_LAUNCHERS.has(runner),
  );
  return !judges && opaque;
}

async function addPackageManagerSettings(walk: CommandWalk, files: readonly string[]): Promise<void> {
  for (const path of files) {
    const name = posix.basename(path);
    const read = SETTINGS[name];
    if (read === undefined) continue;
    const text = await walk.reader.readText(path);
    const settings = text === undefined ? undefined : read(text);
    if (text === undefined) await walk.addFile(path, 0);
    else if (settings !== undefined) {
      walk.add(harnessPart(path, 'settings', settings));
      // Yarn's own release and plugins.
      if (name === '.yarnrc.yml') await walk.addNamedFiles(settings, folderOf(path), 0);
    }
  }
  for (const path of ['.pnpmfile.cjs', '.yarnrc']) await walk.addFile(path, 1);
}

/** Settings that change which programs run or what runs around them. */
const YARN_KEYS = /^(?:yarnPath|plugins|injectEnvironmentFiles|enableScripts|scriptShell|nodeOptions)\b/;
const PNPM_KEYS =
  /^(?:scriptShell|shellEmulator|ignoreScripts|nodeOptions|nodeVersion|useNodeVersion|enablePrePostScripts|scriptsPrependNodePath|pnpmfile|globalPnpmfile|configDependencies|executionEnv|nodeExecPath)\b/;

const SETTINGS: Readonly<Record<string, (text: string) => string | undefined>> = Object.assign(
  Object.create(null) as object,
  {
    '.npmrc': npmrcSettings,
    '.yarnrc.yml': (text: string) => yamlKeys(text, YARN_KEYS),
    'pnpm-workspace.yaml': (text: string) => yamlKeys(text, PNPM_KEYS),
  },
);

function byPlace(a: HarnessPart, b: HarnessPart): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.part < b.part ? -1 : a.part > b.part ? 1 : 0;
}
