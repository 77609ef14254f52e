import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type PackageFile,
  readPackageFile,
  workspacePackages,
} from '../../config/detection/package-files.ts';
import { projectView } from '../../config/detection/project-view.ts';
import { calledScripts, scriptCommands } from '../../config/detection/script-commands.ts';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import { changedPaths, exportFiles, listTree } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { linkedPackages } from './linked-packages.ts';
import { mentionedPackages, namesProgram, ownerOf, WITHOUT_EFFECT } from './mentioned-packages.ts';
import { usedThroughFiles } from './used-through-files.ts';

/** The commands for the packages that a change can affect, if the base's configuration asks for that. */
export async function narrowToAffected(
  repository: Repository,
  verify: VerifyConfig,
  trees: { base: string; candidate: string },
): Promise<VerifyConfig> {
  const { tests, coverage } = verify;
  if (tests?.packages !== 'affected') return verify;
  const [before, after, changes] = await Promise.all([
    packagesOf(repository, trees.base),
    packagesOf(repository, trees.candidate),
    changedPaths(repository, trees.base, trees.candidate),
  ]);
  // A package in only one of the trees cannot run on both.
  if (before.map(idOf).join('\n') !== after.map(idOf).join('\n')) return verify;
  // Dependencies on the base count too: a change must not drop tests by editing a package.json.
  const packages = after.map((one, at) => ({
    ...one,
    uses: new Set([...one.uses, ...(before[at]?.uses ?? [])]),
  }));
  const affected = affectedPackages(
    packages,
    changes.map(({ path }) => path),
  );
  const commands = [verify.setup ?? '', tests.command, ...after.flatMap((one) => one.rootScripts)].join('\n');
  const isTool = ({ name, folder, programs }: WorkspacePackage) =>
    affected?.includes(name) === true &&
    (namesProgram(commands, programs) || commands.includes(`${folder}/`));
  // A tool that prepares the checkout affects every package.
  if (packages.some(isTool)) return verify;
  const names = affected && withBuiltPackages(packages, affected);
  const command = names && narrowCommand(tests.command, names);
  if (!names || command === undefined) return verify;
  const measured = coverage?.command && narrowCommand(coverage.command, names);
  return {
    ...verify,
    tests: { ...tests, command },
    ...(coverage ? { coverage: { ...coverage, ...(measured ? { command: measured } : {}) } } : {}),
  };
}

function idOf({ name, folder }: UsedPackage): string {
  return `${name}\t${folder}`;
}

/** The packages of a workspace in a tree. */
export async function packagesOf(repository: Repository, tree: string): Promise<WorkspacePackage[]> {
  const entries = await listTree(repository, tree);
  const files = entries.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path);
  const root = mkdtempSync(join(tmpdir(), 'guardkit-packages-'));
  try {
    const needed = files.filter((path) => /(?:^|\/)package\.json$|^pnpm-workspace\.yaml$/.test(path));
    await exportFiles(repository, tree, needed, root);
    const view = projectView({ root, files });
    const packages = workspacePackages(view).map((one) => ({ ...one, programs: programsOf(one.file) }));
    const { byFolder, byFile } = await mentionedPackages(repository, tree, packages, (folder) =>
      view.text(`${folder}/package.json`),
    );

    const others = [
      byFolder,
      await usedThroughFiles(repository, tree, packages, byFile),
      await linkedPackages(repository, entries, packages),
    ];
    const rootScripts = preparingScripts(readPackageFile(view)?.scripts ?? {});
    return packages.map(({ name, folder, programs, uses, file }) => ({
      name,
      folder,
      programs,
      rootScripts,
      isTested: file.scripts?.test !== undefined,
      buildsInTests: buildsInTests(file),
      uses: new Set([...uses, ...others.flatMap((one) => [...(one.get(folder) ?? [])])]),
    }));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Scripts of the root that run before the tests. */
function preparingScripts(scripts: Readonly<Record<string, string>>): string[] {
  return Object.entries(scripts)
    .filter(([name]) => /^(?:pre|post)?(?:install|prepare|build|compile|test)(?:$|[:-])/.test(name))
    .map(([, text]) => text);
}

function programsOf({ name = '', bin }: PackageFile): string[] {
  if (typeof bin === 'string') return [name.slice(name.lastIndexOf('/') + 1)];
  return bin !== null && typeof bin === 'object' ? Object.keys(bin) : [];
}

const COMPILER = /^(?:tsc|tsup|rollup|esbuild|webpack|vite|babel|swc|unbuild|tshy)$/;

/** Whether the tests of a package start with what builds it. */
function buildsInTests({ scripts = {} }: PackageFile): boolean {
  if (scripts.test === undefined) return false;
  if (scripts.pretest !== undefined) return true;
  return calledScripts(scripts, 'test').some(
    (name) =>
      /^(?:build|compile)(?:$|[:-])/.test(name) ||
      scriptCommands(scripts[name] ?? '').some(({ program }) => COMPILER.test(program)),
  );
}

/** Commands that call a script in every package, and their variants for some packages. */
const EVERYWHERE: readonly {
  call: RegExp;
  narrowed: (match: RegExpExecArray, names: readonly string[]) => string;
}[] = [
  {
    call: /\bnpm (test|run [\w:-]+) --workspaces( --if-present)?/,
    narrowed: ([, script, ifPresent = ''], names) =>
      `npm ${script} ${names.map((name) => `--workspace ${name}`).join(' ')}${ifPresent}`,
  },
  {
    call: /\b(pnpm(?:@[\w.-]+)?) (?:-r|--recursive)( --no-bail)? (test|run [\w:-]+)/,
    narrowed: ([, program, noBail = '', script], names) =>
      `${program} ${names.map((name) => `--filter ${name}`).join(' ')}${noBail} ${script}`,
  },
  {
    // After `yarn`, or a release of it such as `node .yarn/releases/yarn-4.1.1.cjs`.
    call: /(?<= )workspaces foreach --all (run [\w:-]+)/,
    narrowed: ([, script], names) =>
      `workspaces foreach --all ${names.map((name) => `--include ${name}`).join(' ')} ${script}`,
  },
  {
    call: /\byarn workspaces run ([\w:-]+)$/,
    narrowed: ([, script], names) => names.map((name) => `yarn workspace ${name} run ${script}`).join(' && '),
  },
];

/**
 * A part of `yarn workspace a test && yarn workspace b test`, which yarn 1 needs for several packages: what comes before
 * the package's name, the name, the script.
 */
export const YARN_PART =
  /^(.*\byarn(?:@[\w.-]+|-[\w.-]+\.c?js|\.js"?)? workspace )(\S+)( (?:test|run [\w:-]+))$/;

/** Names that need no shell quoting. */
export const PLAIN_NAME = /^[@\w][\w./@-]*$/;

/** The command for some packages instead of all; undefined if it has another form. */
export function narrowCommand(command: string, names: readonly string[]): string | undefined {
  if (names.length === 0 || !names.every((name) => PLAIN_NAME.test(name))) return undefined;
  for (const { call, narrowed } of EVERYWHERE) {
    // The last call: one before it builds packages, which the affected ones may use.
    const match = [...command.matchAll(new RegExp(call, 'g'))].at(-1);
    if (match)
      return `${command.slice(0, match.index)}${narrowed(match, names)}${command.slice(match.index + match[0].length)}`;
  }
  if (/[;|()\n]|(?<!&)&(?!&)/.test(command)) return undefined;
  const read = command.split(' && ').map((part) => ({ part, match: YARN_PART.exec(part) }));
  const script = read.findLast(({ match }) => match !== null)?.match?.[3];
  const parts = read.map(({ part, match }) => ({
    part,
    name: match?.[3] === script ? match?.[2] : undefined,
  }));
  const kept = parts.filter(({ name }) => name === undefined || names.includes(name));
  const isChain = parts.some(({ name }) => name !== undefined);
  return isChain && kept.some(({ name }) => name !== undefined)
    ? kept.map(({ part }) => part).join(' && ')
    : undefined;
}

interface WorkspacePackage extends UsedPackage {
  isTested: boolean;
  /** Whether its tests build what other packages use of it. */
  buildsInTests: boolean;
  /** Programs that it installs. */
  programs: readonly string[];
  /** The root's scripts that run before the tests of any package. */
  rootScripts: readonly string[];
}

/** A package of the repository with the names of all packages that its files use. */
interface UsedPackage {
  name: string;
  /** Relative to the root. */
  folder: string;
  uses: ReadonlySet<string>;
}

/**
 * The packages that a change can affect: those it touches and those that use them, directly or not. Undefined means
 * all: a file outside every package can affect any of them.
 */
export function affectedPackages(
  packages: readonly UsedPackage[],
  changed: readonly string[],
): string[] | undefined {
  const affected = new Set<string>();
  for (const path of changed.filter((one) => !WITHOUT_EFFECT.test(one))) {
    const owner = ownerOf(path, packages);
    if (!owner) return undefined;
    affected.add(owner.name);
  }
  for (let before = -1; before !== affected.size; ) {
    before = affected.size;
    for (const { name, uses } of packages) if ([...uses].some((one) => affected.has(one))) affected.add(name);
  }
  return packages.map(({ name }) => name).filter((name) => affected.has(name));
}

/** With the packages that these use and that only their own tests build. */
export function withBuiltPackages(
  packages: readonly Pick<WorkspacePackage, 'name' | 'uses' | 'buildsInTests'>[],
  affected: readonly string[],
): string[] {
  const needed = new Set(affected);
  for (const name of needed)
    for (const used of packages.find((one) => one.name === name)?.uses ?? [])
      if (packages.some((one) => one.name === used)) needed.add(used);
  return packages
    .filter(({ name, buildsInTests }) => affected.includes(name) || (buildsInTests && needed.has(name)))
    .map(({ name }) => name);
}
