import { parse } from 'yaml';
import * as z from 'zod';
import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import type { ProjectView } from './project-view.ts';

const names = z.record(z.string(), z.string()).optional().catch(undefined);
const packageSchema = z.object({
  name: z.string().optional().catch(undefined),
  scripts: names,
  dependencies: names,
  devDependencies: names,
  peerDependencies: names,
  optionalDependencies: names,
  packageManager: z.string().optional().catch(undefined),
  main: z.string().optional().catch(undefined),
  module: z.string().optional().catch(undefined),
  exports: z.unknown().optional(),
  bin: z.unknown().optional(),
  workspaces: z
    .union([
      z.array(z.string()),
      z.object({ packages: z.array(z.string()) }).transform((one) => one.packages),
    ])
    .optional()
    .catch(undefined),
  jest: z.unknown().optional(),
  nyc: z.unknown().optional(),
  c8: z.unknown().optional(),
});

export type PackageFile = z.infer<typeof packageSchema>;

/** A package.json; undefined if missing or unreadable. */
export function readPackageFile(view: ProjectView, path = 'package.json'): PackageFile | undefined {
  const text = view.text(path);
  if (text === undefined) return undefined;
  try {
    return packageSchema.parse(JSON.parse(text));
  } catch {
    // Safe: a package.json that npm cannot read either is not detected.
    return undefined;
  }
}

/** All dependencies of a package, with their ranges. */
export function namedPackages(file: PackageFile): Map<string, string> {
  return new Map(
    Object.entries({
      ...file.peerDependencies,
      ...file.optionalDependencies,
      ...file.dependencies,
      ...file.devDependencies,
    }),
  );
}

/** The first number of a range such as `^18.2.0`; undefined for `latest`, `*` or a URL. */
export function majorOf(range: string | undefined): number | undefined {
  const found = /^[\s^~>=v]*(\d+)/.exec(range ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** One package of a monorepo. */
export interface WorkspacePackage {
  name: string;
  /** Its folder, relative to the project's root. */
  folder: string;
  file: PackageFile;
  /** Names of its dependencies, in this repository or elsewhere. */
  uses: ReadonlySet<string>;
}

/** The workspace packages of npm, yarn or pnpm, in the order in which they run; none for an ordinary project. */
export function workspacePackages(view: ProjectView): WorkspacePackage[] {
  const globs = workspaceGlobs(view).flatMap(withoutBraces);
  if (globs.length === 0) return [];
  const wanted = globs.filter((glob) => !glob.startsWith('!')).map(clean);
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => clean(glob.slice(1)));
  const packages = view.files.flatMap((path) => {
    if (!path.endsWith('/package.json') || path.includes('node_modules/')) return [];
    const folder = path.slice(0, -'/package.json'.length);
    const place = wanted.findIndex((glob) => fitsGlob(folder, glob));
    const isOne = place !== -1 && !unwanted.some((glob) => fitsGlob(folder, glob));
    const file = isOne ? readPackageFile(view, path) : undefined;
    return file
      ? [{ place, name: file.name ?? folder, folder, file, uses: new Set(namedPackages(file).keys()) }]
      : [];
  });
  return packages.sort((a, b) => a.place - b.place).map(({ place: _, ...one }) => one);
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
