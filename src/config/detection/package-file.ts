import * as z from 'zod';
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
