import { posix } from 'node:path';
import { followMake } from './follow-make.ts';
import { type HarnessPart, harnessPart, unfollowedPart, WHOLE_FILE } from './harness-part.ts';
import type { HarnessWalk } from './harness-walk.ts';
import { namedFiles, relativeImports } from './named-files.ts';
import {
  followMonorepoRunner,
  followPackageManager,
  followScriptRunner,
  MONOREPO_RUNNERS,
  PACKAGE_MANAGERS,
  SCRIPT_RUNNERS,
} from './package-scripts.ts';
import { MERE_LAUNCHERS, runnerOf } from './runner-configs.ts';
import { splitShell } from './split-shell.ts';
import { insidePath, type TreeReader } from './tree-reader.ts';

const MAX_FOLLOWED = 2000;
const MAX_FILES = 500;
const SHELL_SCRIPT = /\.(?:sh|bash|zsh)$|^#![^\n]{0,60}\b(?:ba|z|da|k)?sh\b/;

/** Follows commands through the tree, collecting the files they run through and the runners they end in. */
export class CommandWalk implements HarnessWalk {
  readonly parts = new Map<string, HarnessPart>();
  /** Runners by the folder they start in. */
  readonly runners = new Map<string, { runner: string; folder: string }>();
  readonly #begun = new Set<string>();
  readonly #files: ReadonlySet<string>;
  #followed = 0;
  #added = 0;

  readonly reader: TreeReader;

  constructor(reader: TreeReader, files: readonly string[]) {
    this.reader = reader;
    this.#files = new Set(files);
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
      return this.add(unfollowedPart('(command)', 'it leads through too many others'));
    const line = splitShell(command);
    for (const why of line.unsure) this.add(unfollowedPart('(command)', why));
    for (const one of line.commands) {
      const here = insidePath(posix.join(folder === '' ? '.' : folder, one.folder));
      if (here === undefined || !(await this.reader.isFolder(here))) {
        this.add(
          unfollowedPart('(command)', `it runs in the folder ${one.folder}, which the tree does not have`),
        );
        await this.#followWords(one.words, one.assignments, folder);
      } else await this.#followWords(one.words, one.assignments, here);
    }
  }

  async #followWords(
    words: readonly string[],
    assignments: readonly string[],
    folder: string,
  ): Promise<void> {
    // A launcher in front (`env`, `timeout 60`, `xvfb-run`, `docker compose run app`) is only more words.
    for (const [at, word] of words.entries()) {
      const program = posix.basename(word).replace(/\.(?:cmd|exe)$/, '');
      const rest = [program, ...words.slice(at + 1)];
      if (PACKAGE_MANAGERS.has(program)) await followPackageManager(this, rest, folder);
      else if (SCRIPT_RUNNERS.has(program)) await followScriptRunner(this, rest, folder);
      else if (MONOREPO_RUNNERS.has(program)) await followMonorepoRunner(this, rest, folder);
      else if (program === 'make' || program === 'gmake') await followMake(this, rest, folder);
      const runner = runnerOf(word);
      if (runner !== undefined) this.addRunner(runner, folder);
      const testsItself =
        rest.includes('--test') || ((program === 'bun' || program === 'deno') && rest[1] === 'test');
      if (MERE_LAUNCHERS.has(runner ?? '') && testsItself) this.addRunner('node-test', folder);
    }
    await this.addNamedFiles([...assignments, ...words].join('\n'), folder, 1);
  }

  async addNamedFiles(text: string, folder: string, reach: number): Promise<void> {
    for (const path of namedFiles(text, folder, this.#files)) await this.addFile(path, reach);
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
      // A script may stand in its own folder or in the root; words are looked up from both.
      await this.follow(file.text, '');
      if (folder !== '') await this.addNamedFiles(file.text, folder, 0);
    } else
      for (const next of relativeImports(file.text, inside, this.#files)) await this.addFile(next, reach - 1);
  }
}
