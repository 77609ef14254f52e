import { parse } from 'yaml';
import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import { namedPackages, type PackageFile, readPackageFile } from './package-file.ts';
import type { ProjectView } from './project-view.ts';

/** One package of a monorepo. */
export interface WorkspacePackage {
  name: string;
  /** Its folder, relative to the project's root. */
  folder: string;
  file: PackageFile;
  /** Names of its dependencies, in this repository or elsewhere. */
  uses: ReadonlySet<string>;
}

/** The workspace packages of npm, yarn or pnpm; none for an ordinary project. */
export function workspacePackages(view: ProjectView): WorkspacePackage[] {
  const globs = workspaceGlobs(view).flatMap(withoutBraces);
  if (globs.length === 0) return [];
  const wanted = globs.filter((glob) => !glob.startsWith('!')).map(clean);
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => clean(glob.slice(1)));
  return view.files.flatMap((path) => {
    if (!path.endsWith('/package.json') || path.includes('node_modules/')) return [];
    const folder = path.slice(0, -'/package.json'.length);
    const isOne =
      wanted.some((glob) => fitsGlob(folder, glob)) && !unwanted.some((glob) => fitsGlob(folder, glob));
    const file = isOne ? readPackageFile(view, path) : undefined;
    return file
      ? [{ name: file.name ?? folder, folder, file, uses: new Set(namedPackages(file).keys()) }]
      : [];
  });
}

function workspaceGlobs(view: ProjectView): string[] {
  const pnpm = view.text('pnpm-workspace.yaml');
  return (pnpm === undefined ? undefined : pnpmGlobs(pnpm)) ?? readPackageFile(view)?.workspaces ?? [];
}

function pnpmGlobs(text: string): string[] | undefined {
  try {
    const parsed: unknown = parse(text);
    const packages: unknown =
      parsed !== null && typeof parsed === 'object' ? Reflect.get(parsed, 'packages') : undefined;
    return Array.isArray(packages) ? packages.filter((glob) => typeof glob === 'string') : undefined;
  } catch {
    // Safe: pnpm cannot read it either, and nothing is detected.
    return undefined;
  }
}

const MOST_GLOBS = 100;

/** `{apps,packages}/*` as two globs. */
function withoutBraces(glob: string): string[] {
  let globs = [glob];
  for (let found = true; found; ) {
    found = false;
    globs = globs.flatMap((one) => {
      const [whole = '', choices] = /\{([^{}]*)\}/.exec(one) ?? [];
      if (choices === undefined || globs.length > MOST_GLOBS) return [one];
      found = true;
      return choices.split(',').map((choice) => one.replace(whole, () => choice));
    });
  }
  return globs;
}

function clean(glob: string): string {
  return glob.replace(/^\.\//, '').replace(/\/$/, '');
}
