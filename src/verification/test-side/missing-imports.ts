import { readFileScopes } from '../test-files/file-scopes.ts';
import { localName } from './loadable-imports.ts';
import { removedNames } from './removed-imports.ts';

/** A module that a runner does not find, or a name that the module does not have. */
export interface Missing {
  module: string;
  name?: string;
}

/** How runners and compilers name a module, or a name of one, that they do not find. */
const MODULES = [
  /Cannot find (?:module|package) '([^'\n]{1,500})'/g,
  /Failed to (?:resolve import|load url) "?([^"\s]{1,500})/g,
  /Could not locate module (\S{1,500}) mapped as/g,
  /No module named '([\w.]{1,500})'/g,
];
const NAMES = [
  /The requested module '(?<module>[^'\n]{1,500})' does not provide an export named '(?<name>[\w$]{1,200})'/g,
  /Named export '(?<name>[\w$]{1,200})' not found\. The requested module '(?<module>[^'\n]{1,500})'/g,
  /odule '"(?<module>[^'"\n]{1,500})"' has no exported member (?:named )?'(?<name>[\w$]{1,200})'/g,
  /cannot import name '(?<name>\w{1,200})' from (?:partially initialized module )?'(?<module>[\w.]{1,500})'/g,
];

/** What the output of a run names as missing. */
export function findMissing(output: string): Missing[] {
  const names = NAMES.flatMap((pattern) => [...output.matchAll(pattern)].map(({ groups }) => groups ?? {}));
  return [
    ...MODULES.flatMap((pattern) => [...output.matchAll(pattern)].map(([, module = '']) => ({ module }))),
    ...names.map(({ module = '', name = '' }) => ({ module, name })),
  ];
}

/** Loads a module for its effect, or in the middle of code, where its names may be declared. */
const LOADED =
  /^import\s*(?<quote>['"])(?<module>[^'"\n]{1,500})\k<quote>;?|(?<declared>(?<![.\w])(?:const|let|var)\s{1,9}(?:[\w$]{1,200}|\{[^{}]{0,2000}\})\s{0,9}=\s{0,9})?\b(?:await\s{1,9}import|require)\(\s{0,9}(?<mark>['"])(?<other>[^'"\n]{1,500})\k<mark>\s{0,9}\)/gm;

export interface WithoutMissing {
  text: string;
  /** Local names of what is missing. */
  names: ReadonlySet<string>;
}

/** A test file that loads no missing module for its effect or in the middle of code; its imports stay. */
export function withoutMissing(path: string, text: string, missing: readonly Missing[]): WithoutMissing {
  const names = new Set<string>();
  if (missing.length === 0) return { text, names };
  for (const { imports = [] } of readFileScopes(path, text)?.scopes ?? [])
    for (const one of imports)
      if (
        missing.some(
          ({ module, name }) => (name ?? one.name) === one.name && isModule(path, one.module, module),
        )
      )
        for (const local of removedNames(path, one)) names.add(local);
  if (path.endsWith('.py')) return { text, names };
  const gone = missing.filter(({ name }) => name === undefined);
  const loadable = text.replace(LOADED, (whole, ...rest) => {
    const { module, declared = '', other = module ?? '' } = rest.at(-1) as Record<string, string | undefined>;
    if (!gone.some((one) => isModule(path, other, one.module))) return whole;
    if (module !== undefined) return '';
    const pattern = declared.replace(/^\w+\s|[{}=]/g, '');
    for (const part of pattern.split(',')) if (part.trim() !== '') names.add(localName(part));
    return `${declared}({})`;
  });
  return { text: loadable, names };
}

/** Whether a test file's import means a module that a runner names. Node names the file that it looked for. */
function isModule(path: string, imported: string, missing: string): boolean {
  if (imported === missing) return true;
  if (!path.endsWith('.py')) {
    const place = imported.replace(/^(?:\.{1,2}\/)+|^[@~#]\/?/, '');
    return missing.startsWith('/') && missing.endsWith(`/${place}`);
  }
  const module = imported.replace(/^\.+/, '');
  const isRelative = module !== imported;
  return module.startsWith(`${missing}.`) || (isRelative && `.${missing}`.endsWith(module && `.${module}`));
}
