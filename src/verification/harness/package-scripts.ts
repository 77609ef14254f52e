import { posix } from 'node:path';
import { canonicalJson } from '../../domain/json/json.ts';
import { shellWord } from '../../platform/processes/shell-word.ts';
import { type HarnessWalk, harnessPart, REGISTERED, under, unfollowedPart } from './harness-part.ts';
import {
  addKeys,
  allPackages,
  entries,
  listOf,
  nearestPackage,
  own,
  type PackageFile,
} from './read-packages.ts';

const PACKAGE_MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun', 'npx', 'pnpx', 'bunx', 'node']);
/** A package of npm that a launcher takes in a given version, and a release file in the repository. */
const VERSIONED = /^(npm|pnpm|yarn|bun)@[\w.^~-]*$/;
const RELEASE_FILE = /^(pnpm|yarn)-\d[\w.-]*\.[cm]?js$/;

/** The package manager that a word of a command starts: `pnpm@9`, `@yarnpkg/cli-dist@4`, `.yarn/releases/yarn-4.1.1.cjs`. */
export function packageManagerOf(word: string): string | undefined {
  if (/^@yarnpkg\/cli-dist(?:@|$)/.test(word)) return 'yarn';
  const name = posix.basename(word).replace(/\.(?:cmd|exe)$/, '');
  if (PACKAGE_MANAGERS.has(name)) return name;
  return (VERSIONED.exec(name) ?? RELEASE_FILE.exec(name))?.[1];
}

export const SCRIPT_RUNNERS = new Set([
  'npm-run-all',
  'npm-run-all2',
  'run-s',
  'run-p',
  'concurrently',
  'wsrun',
]);

const INSTALLS = new Set([
  'ci',
  'install',
  'i',
  'clean-install',
  'install-test',
  'it',
  'cit',
  'install-ci-test',
]);
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
const COMMIT_TOOLS = /^(?:commitizen|cz-[\w-]+|ghooks|validate-commit-msg|commitlint)$/;
const OWN_SCRIPTS = new Set(['test', 'start', 'stop', 'restart']);
const FOLDER_OPTIONS = new Set(['--prefix', '-C', '--cwd', '--dir']);
const WORKSPACE_OPTIONS = new Set(['-w', '--workspace', '--filter', '-F']);
const ALL_OPTIONS = new Set(['-ws', '--workspaces', '-r', '--recursive', '--filter', '-F']);

interface Call {
  folder: string;
  plain: string[];
  workspaces: string[];
  everywhere: boolean;
}

/** Follows `npm test`, `pnpm -r run check`, `yarn workspace a test` and similar commands into their scripts. */
export async function followPackageManager(
  walk: HarnessWalk,
  words: readonly string[],
  folder: string,
): Promise<void> {
  const manager = words[0] ?? '';
  if (manager === 'node') {
    const at = words.findIndex((word) => word === '--run' || word.startsWith('--run='));
    const name = at === -1 ? undefined : (words[at]?.split('=')[1] ?? words[at + 1]);
    if (name !== undefined) await followScripts(walk, [name], await nearestPackage(walk, folder));
    return;
  }
  const call = readCall(words.slice(1), folder);
  const started = commandOfExec(words.slice(1), call.plain[0]);
  const scripts = started === undefined ? scriptsOf(manager, call.plain) : [];
  const packages = call.everywhere
    ? await allPackages(walk)
    : call.workspaces.length > 0
      ? await workspacePackages(walk, call.workspaces)
      : [await nearestPackage(walk, call.folder)];
  if (call.everywhere) addWorkspaces(walk, await nearestPackage(walk, call.folder));
  for (const one of packages) await followScripts(walk, scripts, one);
  if (started !== undefined) await followInPackages(walk, started, packages);
}

/** The command that `pnpm -r exec`, `npm exec --workspaces --` or `lerna exec` starts in every package. */
export function commandOfExec(args: readonly string[], verb: string | undefined): string | undefined {
  if (verb !== 'exec' && verb !== 'x') return undefined;
  const after = args.slice(args.indexOf(verb) + 1);
  const end = after.indexOf('--');
  const start = end === -1 ? after.findIndex((word) => !word.startsWith('-')) : end + 1;
  const words = start === -1 ? [] : after.slice(start);
  // A single word can be a whole command line: `npm exec --workspaces -c 'mocha test'`.
  return words.length === 1 ? words[0] : words.map(shellWord).join(' ');
}

/** Follows a command from the folder of each package, where its runner finds its settings. */
export async function followInPackages(
  walk: HarnessWalk,
  command: string,
  packages: readonly (PackageFile | undefined)[],
): Promise<void> {
  for (const { folder } of packages.filter((one) => one !== undefined))
    if (walk.begin(`exec ${folder} ${command}`)) await walk.follow(command, folder);
}

/** A package more is tested too; one less, or an exclusion, is not. */
function addWorkspaces(walk: HarnessWalk, found: PackageFile | undefined): void {
  const declared = own(found?.json, 'workspaces');
  if (found === undefined || declared === undefined) return;
  const isList = Array.isArray(declared);
  const isInclusion = (one: unknown) => typeof one === 'string' && !one.startsWith('!');
  const all = listOf(isList ? declared : own(declared, 'packages'));
  for (const one of all.filter(isInclusion))
    walk.add(harnessPart(found.path, `${REGISTERED}workspaces ${String(one)}`, String(one)));
  const excluded = all.filter((one) => !isInclusion(one));
  const others = isList ? [] : entries(declared).filter(([name]) => name !== 'packages');
  if (excluded.length + others.length > 0)
    walk.add(harnessPart(found.path, 'workspaces', canonicalJson([excluded, Object.fromEntries(others)])));
}

/** Follows the names and patterns of npm-run-all and similar programs. */
export async function followScriptRunner(
  walk: HarnessWalk,
  words: readonly string[],
  folder: string,
): Promise<void> {
  const patterns = words
    .slice(1)
    .map((word) => word.replace(/^(?:npm|pnpm|yarn|bun|node):/, '').split(' ')[0] ?? '')
    .filter((word) => word !== '' && !word.startsWith('-'));
  await followScripts(walk, patterns, await nearestPackage(walk, folder));
}

function readCall(args: readonly string[], start: string): Call {
  const call: Call = { folder: start, plain: [], workspaces: [], everywhere: false };
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '--') break;
    const [option = '', value] = word.startsWith('--') ? word.split('=', 2) : [word];
    if (FOLDER_OPTIONS.has(option) && !call.plain.includes('run')) {
      call.folder = under(start, value ?? args[++at] ?? '');
    } else if (WORKSPACE_OPTIONS.has(option) && !(option === '-w' && call.plain.length > 1)) {
      const name = value ?? args[++at] ?? '';
      if (/[*.{!^]/.test(name)) call.everywhere = true;
      else call.workspaces.push(name);
    } else if (ALL_OPTIONS.has(option)) call.everywhere = true;
    else if (!word.startsWith('-')) call.plain.push(word);
  }
  if (call.plain[0] === 'workspaces') {
    call.everywhere = true;
    call.plain = call.plain.filter((word) => !['workspaces', 'foreach', 'run'].includes(word));
  } else if (call.plain[0] === 'workspace') {
    call.workspaces.push(call.plain[1] ?? '');
    call.plain = call.plain.slice(2);
  }
  return call;
}

function scriptsOf(manager: string, plain: readonly string[]): string[] {
  const [verb, name] = plain;
  if (verb === undefined) return manager === 'yarn' ? INSTALL_SCRIPTS : [];
  if (['npx', 'pnpx', 'bunx'].includes(manager)) return [];
  if (verb === 'run' || verb === 'run-script') return name === undefined ? [] : [name];
  if (verb === 't' || verb === 'tst') return ['test'];
  if (INSTALLS.has(verb))
    return verb.includes('t') && verb !== 'install' && verb !== 'clean-install'
      ? [...INSTALL_SCRIPTS, 'test']
      : INSTALL_SCRIPTS;
  // Only npm needs `run` for other names; the others take a script's name as a command.
  return manager === 'npm' && !OWN_SCRIPTS.has(verb) ? [] : [verb];
}

export async function followScripts(
  walk: HarnessWalk,
  names: readonly string[],
  found: PackageFile | undefined,
): Promise<void> {
  if (found === undefined) return;
  const scripts = new Map(entries(own(found.json, 'scripts')));
  for (const name of names.flatMap((one) => matching(one, scripts))) {
    for (const script of [`pre${name}`, name, `post${name}`]) {
      const command = scripts.get(script);
      if (typeof command !== 'string' || !walk.begin(`script ${found.path} ${script}`)) continue;
      walk.add(harnessPart(found.path, `scripts.${script}`, command));
      await walk.follow(command, found.folder);
    }
    await followWireit(walk, name, found);
  }
  await addConfig(walk, found);
}

/** npm gives these to scripts as variables; tools for commit messages keep their settings there too. */
async function addConfig(walk: HarnessWalk, found: PackageFile): Promise<void> {
  const kept = entries(own(found.json, 'config')).filter(([name]) => !COMMIT_TOOLS.test(name));
  if (kept.length === 0) return;
  await addKeys(walk, { ...found, json: { config: Object.fromEntries(kept) } }, ['config']);
}

async function followWireit(walk: HarnessWalk, name: string, found: PackageFile): Promise<void> {
  const value = own(own(found.json, 'wireit') ?? {}, name);
  if (value === undefined || !walk.begin(`wireit ${found.path} ${name}`)) return;
  walk.add(harnessPart(found.path, `wireit.${name}`, canonicalJson(value)));
  const command = own(value, 'command');
  if (typeof command === 'string') await walk.follow(command, found.folder);
  const needed = own(value, 'dependencies');
  const names = Array.isArray(needed) ? needed.filter((one) => typeof one === 'string') : [];
  await followScripts(walk, names, found);
}

/** `test:*`, or `/^test:/` of pnpm, of which the text before the first special character is compared. */
function matching(pattern: string, scripts: ReadonlyMap<string, unknown>): string[] {
  const [, literal] = /^\/\^?([\w:-]*).*\/$/.exec(pattern) ?? [];
  if (literal !== undefined)
    return [...scripts.keys()].filter((name) =>
      pattern.startsWith('/^') ? name.startsWith(literal) : name.includes(literal),
    );
  if (!pattern.includes('*')) return [pattern];
  const [start = ''] = pattern.split('*', 1);
  return [...scripts.keys()].filter((name) => name.startsWith(start));
}

async function workspacePackages(walk: HarnessWalk, names: readonly string[]): Promise<PackageFile[]> {
  const all = await allPackages(walk);
  const chosen = all.filter(({ folder, json }) =>
    names.some(
      (name) => name === own(json, 'name') || name.replace(/^\.\//, '').replace(/\/$/, '') === folder,
    ),
  );
  if (chosen.length > 0) return chosen;
  walk.add(unfollowedPart('(command)', `no package is named ${names.join(', ')}`));
  return all;
}
