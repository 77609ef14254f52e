import { posix } from 'node:path';
import { isTestFile } from '../../domain/is-test-file.ts';
import { commandFiles, type FileRole } from './command-files.ts';
import { ConfigPackages } from './config-packages.ts';
import { followMake } from './follow-make.ts';
import { followMonorepoRunner, MONOREPO_RUNNERS } from './follow-monorepo.ts';
import { followPythonLauncher, PYTHON_LAUNCHERS } from './follow-python-launcher.ts';
import type { HarnessWalk } from './harness-part.ts';
import {
  EXPECTED_RESULT,
  type HarnessPart,
  harnessPart,
  PROGRAM,
  unfollowedPart,
  WHOLE_FILE,
} from './harness-part.ts';
import {
  filesInCode,
  isHarnessFile,
  loadedFiles,
  namedFiles,
  relativeImports,
  resolveImport,
  resolveModule,
  resolveWord,
} from './named-files.ts';
import {
  followPackageManager,
  followScriptRunner,
  packageManagerOf,
  SCRIPT_RUNNERS,
} from './package-scripts.ts';
import { isInToolFolder, isTestScript, namesAJudge, type ProductFiles } from './product-files.ts';
import { pythonHooks } from './python-hooks.ts';
import { MERE_LAUNCHERS, runnerOf, runnersIn } from './runner-configs.ts';
import { RUNS_OUTPUT, splitShell } from './split-shell.ts';
import { insidePath, type TreeReader } from './tree-reader.ts';

const MAX_FOLLOWED = 2000;
const MAX_FILES = 500;
const SHELL_SCRIPT = /\.(?:sh|bash|zsh)$|^#![^\n]{0,60}\b(?:ba|z|da|k)?sh\b/;

/** Follows commands through the tree and collects the files they use and the runners they end in. */
export class CommandWalk implements HarnessWalk {
  readonly parts = new Map<string, HarnessPart>();
  /** Runners by start folder. */
  readonly runners = new Map<string, { runner: string; folder: string }>();
  readonly #begun = new Set<string>();
  readonly #files: ReadonlySet<string>;
  #followed = 0;
  #added = 0;

  readonly reader: TreeReader;

  /** A started program may start any runner. */
  opaque = false;
  readonly #product: ProductFiles;
  #configPackages: Promise<ConfigPackages> | undefined;

  constructor(reader: TreeReader, files: ReadonlySet<string>, product: ProductFiles) {
    this.reader = reader;
    this.#files = files;
    this.#product = product;
  }

  add(part: HarnessPart): void {
    this.parts.set(`${part.path}\0${part.part}`, part);
  }

  addRunner(runner: string, folder: string): void {
    this.runners.set(`${folder}\0${runner}`, { runner, folder });
  }

  begin(thing: string): boolean {
    if (this.#begun.has(thing)) return false;
    this.#begun.add(thing);
    return true;
  }

  async follow(command: string, folder: string): Promise<void> {
    this.#followed += 1;
    if (this.#followed > MAX_FOLLOWED)
      return this.add(unfollowedPart('(command)', 'too many nested commands'));
    const line = splitShell(command);
    for (const why of line.unsure) this.add(unfollowedPart('(command)', why));
    if (line.unsure.includes(RUNS_OUTPUT)) this.opaque = true;
    for (const one of line.commands) {
      const here = insidePath(posix.join(folder === '' ? '.' : folder, one.folder));
      if (here === undefined || !(await this.reader.isFolder(here))) {
        this.add(unfollowedPart('(command)', `it runs in the missing folder ${one.folder}`));
        await this.#followWords(one.words, one.assignments, folder);
      } else await this.#followWords(one.words, one.assignments, here);
    }
  }

  async #followWords(
    words: readonly string[],
    assignments: readonly string[],
    folder: string,
  ): Promise<void> {
    const { files, programs, opaque } = commandFiles(words, assignments);
    for (const at of programs) await this.#followProgram(words.slice(at), folder);
    if (opaque) this.opaque = true;
    for (const { word, role } of files) await this.#addByRole(word, role, folder);
  }

  async #followProgram(words: readonly string[], folder: string): Promise<void> {
    const word = words[0] ?? '';
    const manager = packageManagerOf(word);
    const program = manager ?? posix.basename(word).replace(/\.(?:cmd|exe)$/, '');
    const rest = [program, ...words.slice(1)];
    if (manager !== undefined) await followPackageManager(this, rest, folder);
    else if (SCRIPT_RUNNERS.has(program)) await followScriptRunner(this, rest, folder);
    else if (MONOREPO_RUNNERS.has(program)) await followMonorepoRunner(this, rest, folder);
    else if (program === 'make' || program === 'gmake') await followMake(this, rest, folder);
    else if (PYTHON_LAUNCHERS.has(program)) await followPythonLauncher(this, rest, folder);
    if ((program === 'babel' || program === 'swc') && this.#compilesTests(rest, folder))
      this.addRunner(program, folder);
    const runner = runnerOf(word);
    if (runner !== undefined) this.addRunner(runner, folder);
    if (runner === 'pytest' && words.some((one) => one.startsWith('--cov')))
      this.addRunner('coverage', folder);
    const testsItself =
      rest.includes('--test') || ((program === 'bun' || program === 'deno') && rest[1] === 'test');
    if (MERE_LAUNCHERS.has(runner ?? '') && testsItself) this.addRunner('node-test', folder);
  }

  #compilesTests(words: readonly string[], folder: string): boolean {
    const inputs = words
      .slice(1)
      .map((word) => insidePath(posix.join(folder === '' ? '.' : folder, word)))
      .filter((path) => path !== undefined);
    return [...this.#files].some(
      (file) => isTestFile(file) && inputs.some((path) => path === '' || file.startsWith(`${path}/`)),
    );
  }

  async #addByRole(word: string, role: FileRole, folder: string): Promise<void> {
    const { isProduct } = this.#product;
    const module = () => resolveModule(word, folder, this.#files);
    switch (role) {
      case 'program': {
        const path = resolveWord(word, folder, this.#files) ?? resolveWord(`./${word}`, folder, this.#files);
        if (path !== undefined) await this.#addProgram(path);
        return;
      }
      case 'module': {
        const path = module();
        if (path === undefined || isProduct(path)) return;
        this.opaque = true;
        return this.addFile(path, 1);
      }
      case 'settings': {
        const path = resolveImport(word, folder, this.#files) ?? module();
        if (path !== undefined && isHarnessFile(path, isProduct)) await this.addFile(path, 1);
        else if (path !== undefined) await this.#addLoaded(path, 1);
        return;
      }
      case 'inline': {
        for (const path of filesInCode(word, folder, this.#files))
          if ((namesAJudge(path) || isInToolFolder(path)) && isHarnessFile(path, isProduct))
            await this.addFile(path, 1);
        return;
      }
      case 'compared': {
        const path = insidePath(posix.join(folder === '' ? '.' : folder, word));
        const file = path === undefined ? undefined : await this.reader.read(path);
        if (path !== undefined && file?.type === 'text')
          this.add(harnessPart(path, EXPECTED_RESULT, file.text));
      }
    }
  }

  /** A script that a command executes, unless it is the product or a test, which are judged separately. */
  async #addProgram(path: string): Promise<void> {
    const text = (await this.reader.readText(path)) ?? '';
    if (isTestScript(path, text)) {
      this.opaque = true;
      return;
    }
    if (!isHarnessFile(path, this.#product.isProduct)) return;
    this.opaque = true;
    for (const runner of runnersIn(text)) this.addRunner(runner, '');
    if (namesAJudge(path) || isInToolFolder(path) || SHELL_SCRIPT.test(path)) return this.addFile(path, 1);
    if (await this.#product.isTested(path)) return;
    this.add(harnessPart(path, PROGRAM, text.replaceAll('\r\n', '\n')));
  }

  async addNamedFiles(text: string, folder: string, reach: number): Promise<void> {
    for (const path of namedFiles(text, folder, this.#files, this.#product.isProduct))
      await this.addFile(path, reach);
    for (const path of loadedFiles(text, folder, this.#files)) await this.#addLoaded(path, reach);
    await this.#addFromPackages(text, reach);
  }

  /** A file in a product folder that is loaded into the runner, and that neither the product nor a test imports. */
  async #addLoaded(path: string, reach: number): Promise<void> {
    const { isProduct } = this.#product;
    if (!isProduct(path) || !isHarnessFile(path, () => false)) return;
    if ((await this.#product.isUsed(path)) || (await this.#product.isTested(path))) return;
    if (!path.endsWith('.py')) return this.addFile(path, reach);
    const hooks = pythonHooks((await this.reader.readText(path)) ?? '');
    if (hooks !== undefined) this.add(harnessPart(path, 'hooks', hooks));
  }

  async #addFromPackages(text: string, reach: number): Promise<void> {
    this.#configPackages ??= ConfigPackages.open(this, this.#files);
    for (const path of (await this.#configPackages).filesNamedIn(text)) await this.addFile(path, reach);
  }

  async addFile(path: string, reach: number): Promise<void> {
    const inside = insidePath(path);
    if (inside === undefined || !this.begin(`file ${inside} ${reach}`)) return;
    const file = await this.reader.read(inside);
    if (file === undefined) return;
    this.#added += 1;
    if (this.#added > MAX_FILES) return this.add(unfollowedPart('(command)', 'it names too many files'));
    if (file.type === 'link') return this.add(harnessPart(inside, 'link out of the tree', file.target));
    if (file.type === 'large')
      return this.add({ path: inside, part: WHOLE_FILE, digest: file.digest, text: '(too large to show)' });
    this.add(harnessPart(inside, WHOLE_FILE, file.text.replaceAll('\r\n', '\n')));
    if (reach <= 0) return;
    const folder = posix.dirname(inside) === '.' ? '' : posix.dirname(inside);
    if (SHELL_SCRIPT.test(inside) || SHELL_SCRIPT.test(file.text.slice(0, 100))) {
      if (!this.begin(`shell ${inside}`)) return;
      // A script may start in its own folder or in the root; words are looked up from both.
      await this.follow(file.text, '');
      if (folder !== '') await this.follow(file.text, folder);
    } else
      for (const next of relativeImports(file.text, inside, this.#files, this.#product.isProduct))
        await this.addFile(next, reach - 1);
    await this.#addFromPackages(file.text, reach - 1);
  }
}
