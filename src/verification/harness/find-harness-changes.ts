import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { PathChange } from '../../platform/git/git-tree.ts';
import { twinModules } from '../changed-product/twin-modules.ts';
import { type Acceptances, workingDigest } from '../definition/acceptances.ts';
import type { Facts } from '../facts.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { VerificationWorkspace } from '../workspaces/verification-workspace.ts';
import { compareHarness, type HarnessChange } from './compare-harness.ts';
import { type DescribeOptions, describeHarness } from './describe-harness.ts';
import { type HarnessPart, INSTALLED_PACKAGE } from './harness-part.ts';

const MAX_LOCATED_BYTES = 2 * 1024 * 1024;

/** The harness to compare and its references. */
export interface HarnessRequest {
  context: RunContext;
  verify: VerifyConfig;
  acceptances: Acceptances;
  tree: string;
  /** The harness must equal one of these: those of the base, or a person's before it. */
  harnessBases: readonly { commit: string; tree: string }[];
}

/** Described while only trees are in the workspace: packages from a set-up are nobody's change. */
export async function findHarnessChanges(
  { context, verify, acceptances, tree, harnessBases }: HarnessRequest,
  changes: readonly PathChange[],
  files: readonly string[],
): Promise<Facts['harness']> {
  const { workspace, headCommit, repository } = context;
  const commands = commandsOf(verify);
  const { setup, tests, coverage } = verify;
  const testing = [textOf(setup), tests?.command, coverage?.command].filter((one) => one !== undefined);
  const options = { measuresCoverage: coverage !== undefined, testing };
  const before: HarnessPart[][] = [];
  for (const base of harnessBases)
    before.push(await describeBaseHarness(workspace, base.tree, base.commit, commands, options));
  await workspace.place(tree, headCommit);
  const after = await describeHarness(workspace.folder, commands, options);
  const isAccepted = (path: string) => acceptances.has(path, workingDigest(join(repository.root, path)));
  const installed = committedDependencies(changes, files);
  return [
    ...changesFromAll(before, after),
    ...installed,
    ...linksOut(workspace.folder, changes),
    ...plantedBytecode(workspace.folder, changes),
    ...twinModules(changes, files),
  ].map((change) => ({
    ...change,
    ...placeOf(workspace.folder, change),
    accepted: filesOf(change, installed).every(isAccepted),
  }));
}

/** A person accepts files; the folder of a package is accepted with all of its changed files. */
export function filesOf({ path, part }: HarnessChange, installed: readonly HarnessChange[]): string[] {
  if (part === INSTALLED_PACKAGE || !INSTALLED.test(path)) return [path];
  const inside = installed.map((one) => one.path).filter((one) => one.startsWith(`${path}/`));
  return inside.length > 0 ? inside : [path];
}

function placeOf(root: string, change: HarnessChange): { line?: number } {
  if (change.part === INSTALLED_PACKAGE) return {};
  const file = join(root, change.path);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MAX_LOCATED_BYTES) return {};
  const line = locateChange(readFileSync(file, 'utf8'), change);
  return line === undefined ? {} : { line };
}

/** A part that equals one of them is unchanged. */
function changesFromAll(
  bases: readonly (readonly HarnessPart[])[],
  candidate: readonly HarnessPart[],
): HarnessChange[] {
  // Without any reference everything is new.
  const [first = [], ...others] = (bases.length > 0 ? bases : [[]]).map((base) =>
    compareHarness(base, candidate),
  );
  return first.filter(({ path, part }) =>
    others.every((changes) => changes.some((one) => one.path === path && one.part === part)),
  );
}

const INSTALLED = /(?:^|\/)(?:node_modules|\.?venv)(?:\/|$)/;
const FIXTURES = /(?:^|\/)(?:fixtures?|__fixtures__|testdata)(?:\/|$)/;
const NAMED_TEST = /[._-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)test_[^/]*\.py$|_test\.py$/;

/** The workspace keeps installed packages, so a comparison of folders would not notice packages in the tree. */
export function committedDependencies(
  changes: readonly PathChange[],
  files: readonly string[],
): HarnessChange[] {
  // Packages of a fixture serve only the files around them, and no test is among those.
  const known = new Map<string, boolean>();
  const isFixture = (path: string) => {
    const folder = path.slice(0, INSTALLED.exec(path)?.index ?? 0);
    const isTest = (file: string) =>
      file.startsWith(`${folder}/`) && NAMED_TEST.test(file) && !INSTALLED.test(file.slice(folder.length));
    const found = known.get(folder) ?? (FIXTURES.test(folder) && !files.some(isTest));
    known.set(folder, found);
    return found;
  };
  return changes
    .filter(({ path }) => INSTALLED.test(path) && !isFixture(path))
    .map(({ path }) => {
      const words = `${path}: the change adds or alters installed packages`;
      return { type: 'added', path, part: INSTALLED_PACKAGE, before: null, after: null, words };
    });
}

/** Files outside the tree are neither measured nor verified, though commands can read them. */
function linksOut(root: string, changes: readonly PathChange[]): HarnessChange[] {
  const top = realpathSync(root);
  return changes.flatMap(({ path, change }): HarnessChange[] => {
    const link = join(root, path);
    if (change === 'deleted' || !lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return [];
    const target = readlinkSync(link);
    const inside = !isAbsolute(target) && (!existsSync(link) || isIn(realpathSync(link), top));
    if (inside) return [];
    const words = `${path}: the change adds a link out of the tree, to ${target}`;
    return [{ type: 'added', path, part: 'link out of the tree', before: null, after: target, words }];
  });
}

function isIn(path: string, top: string): boolean {
  return path.startsWith(`${top}${sep}`) && !path.startsWith(join(top, '.git'));
}

function commandsOf({ setup, health, tests, coverage, checks = [] }: VerifyConfig): string[] {
  return [
    textOf(setup),
    textOf(health),
    tests?.command,
    coverage?.command,
    ...checks.flatMap(({ command, browser, start }) => [
      command,
      start,
      browser?.includes('://') ? undefined : browser,
    ]),
  ].filter((command) => command !== undefined);
}

function textOf(command: VerifyConfig['setup']): string | undefined {
  return typeof command === 'object' ? command.command : command;
}

/** The line where a changed part starts: that of its first new line, or else of its name. */
function locateChange(text: string, { part, after }: HarnessChange): number | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const first = after
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
  const key = part.slice(part.search(/[^.]*$/));
  const sought: ((line: string) => boolean)[] = [
    (line) => first !== undefined && line === first,
    // Keys of a package.json and sections of other files.
    (line) =>
      line.startsWith(`"${key}"`) || line === part || line === part.replace(/^target /, '').concat(':'),
    (line) => first !== undefined && first.length > 3 && line.includes(first),
  ];
  for (const fits of sought) {
    const at = lines.findIndex(fits);
    if (at !== -1) return at + 1;
  }
  return undefined;
}

/** A build asks for the same base in every turn; more than a few are never needed. */
const MAX_KNOWN = 8;
const known = new Map<string, HarnessPart[]>();

/** The harness of the base: described once, since a tree never changes. */
async function describeBaseHarness(
  workspace: VerificationWorkspace,
  tree: string,
  commit: string,
  commands: readonly string[],
  options: DescribeOptions,
): Promise<HarnessPart[]> {
  // Results of a set-up are next to the tree and described with it.
  const key = JSON.stringify([tree, commands, options, workspace.keptWith(tree)]);
  const found = known.get(key);
  if (found) return found;
  await workspace.place(tree, commit);
  const described = await describeHarness(workspace.folder, commands, options);
  const oldest = known.keys().next();
  if (known.size >= MAX_KNOWN && !oldest.done) known.delete(oldest.value);
  known.set(key, described);
  return described;
}

/**
 * Compiled Python in the change that would run instead of the source. Python compares its own bytecode with the
 * source's time, which nobody can know in advance; bytecode with a hash of the source, or without a source, may contain
 * anything.
 */
export function plantedBytecode(root: string, changes: readonly PathChange[]): HarnessChange[] {
  return changes.flatMap(({ path, change }): HarnessChange[] => {
    if (change === 'deleted' || !path.endsWith('.pyc')) return [];
    const cached = /(?:^|\/)__pycache__\/[^/]+$/.test(path);
    if (cached && !isHashBased(join(root, path))) return [];
    const words = `${path}: the change adds compiled Python that runs instead of its source`;
    return [{ type: 'added', path, part: 'compiled Python', before: null, after: null, words }];
  });
}

/** By the flags in its header, after the bytecode version. */
function isHashBased(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const header = Buffer.alloc(8);
      return readSync(file, header, 0, 8, 0) === 8 && (header.readUInt32LE(4) & 1) === 1;
    } finally {
      closeSync(file);
    }
  } catch {
    // Python might be able to read a file that we cannot.
    return true;
  }
}
