import { posix } from 'node:path';
import { type HarnessWalk, under } from './harness-part.ts';
import { resolveImport } from './named-files.ts';
import { entryPoints } from './product-files.ts';
import { own, type PackageFile, packagePaths, readPackages } from './read-packages.ts';

/** Packages of a workspace that hold settings for its tests; others are the product. */
const CONFIG_NAME =
  /(?:^|[@/._-])(?:configs?|presets?|tooling|tests?|testing|vitest|jest|mocha|babel|tsconfig|setup|internal)(?:$|[/._-])/;
const WORD = /['"]((?:@[\w.-]{1,100}\/)?[\w.-]{1,200}(?:\/[\w./-]{1,200})?)['"]/g;

/** Resolves names of such packages in settings. */
export class ConfigPackages {
  readonly #packages: ReadonlyMap<string, PackageFile>;
  readonly #files: ReadonlySet<string>;

  private constructor(packages: ReadonlyMap<string, PackageFile>, files: ReadonlySet<string>) {
    this.#packages = packages;
    this.#files = files;
  }

  static async open(walk: HarnessWalk, files: ReadonlySet<string>): Promise<ConfigPackages> {
    const found = new Map<string, PackageFile>();
    const paths = (await packagePaths(walk)).filter((path) => path !== 'package.json');
    for (const one of await readPackages(walk, paths)) {
      const name = own(one.json, 'name');
      if (typeof name === 'string' && CONFIG_NAME.test(name)) found.set(name, one);
    }
    return new ConfigPackages(found, files);
  }

  /** The files that a text names by package. */
  filesNamedIn(text: string): string[] {
    if (this.#packages.size === 0) return [];
    const found = [...text.matchAll(WORD)].flatMap(([, word = '']) => {
      const name = word
        .split('/')
        .slice(0, word.startsWith('@') ? 2 : 1)
        .join('/');
      const one = this.#packages.get(name);
      return one === undefined ? [] : this.#filesOf(one, word.slice(name.length + 1));
    });
    return [...new Set(found)];
  }

  #filesOf({ folder, json }: PackageFile, rest: string): string[] {
    const exports = own(own(json, 'exports'), rest === '' ? '.' : `./${rest}`);
    const named = entryPoints(
      JSON.stringify(rest === '' ? { ...json, exports, bin: null, types: null } : { exports }),
    );
    const entries = rest === '' ? [...named, 'index', 'jest-preset'] : named.length > 0 ? named : [rest];
    return entries.flatMap((entry) => {
      const path = resolveImport(`./${entry}`, folder, this.#files);
      const plain = posix.normalize(under(folder, `${entry}.json`));
      return path ?? (this.#files.has(plain) ? plain : []);
    });
  }
}
