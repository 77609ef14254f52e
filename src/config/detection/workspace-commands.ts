import { shellWord } from '../../platform/processes/shell-word.ts';
import type { WorkspacePackage } from './package-files.ts';
import type { PackageManager } from './package-manager.ts';

/** npm writes this script into a new package. It fails and tests nothing. */
export const PLACEHOLDER = /no test specified/;

/** Runs the tests of every package that has some; undefined if none has. */
export function testEveryPackage(
  manager: PackageManager,
  packages: readonly WorkspacePackage[],
): string | undefined {
  const tested = packages.filter(({ file }) => {
    const script = file.scripts?.test;
    return script !== undefined && !PLACEHOLDER.test(script);
  });
  if (tested.length === 0) return undefined;
  const { name, program, hasForeach } = manager;
  const oneByOne = tested.map((one) => `${program} workspace ${shellWord(one.name)} test`).join(' && ');
  const commands: Record<PackageManager['name'], string> = {
    npm: 'npm test --workspaces --if-present',
    // Otherwise pnpm ends at the first package whose tests fail.
    pnpm: `${program} -r --no-bail test`,
    yarn: oneByOne,
    'yarn-berry': hasForeach ? `${program} workspaces foreach --all run test` : oneByOne,
    bun: `${program} run --filter '*' test`,
  };
  return commands[name];
}

/** Builds every package that can be built, used ones before their users as far as the package manager allows it. */
export function buildEveryPackage(
  manager: PackageManager,
  packages: readonly WorkspacePackage[],
): string | undefined {
  const script = ['build', 'compile'].find((one) => packages.some(({ file }) => file.scripts?.[one]));
  if (script === undefined) return undefined;
  const { name, program, hasForeach } = manager;
  const oneByOne = usedFirst(packages)
    .filter(({ file }) => file.scripts?.[script])
    .map((one) => `${program} workspace ${shellWord(one.name)} run ${script}`)
    .join(' && ');
  const commands: Record<PackageManager['name'], string> = {
    npm: `npm run ${script} --workspaces --if-present`,
    pnpm: `${program} -r run ${script}`,
    yarn: oneByOne,
    'yarn-berry': hasForeach
      ? `${program} workspaces foreach --all --topological-dev run ${script}`
      : oneByOne,
    bun: `${program} run --filter '*' ${script}`,
  };
  return commands[name];
}

/** Packages of a cycle stay in their order. */
function usedFirst(packages: readonly WorkspacePackage[]): WorkspacePackage[] {
  const sorted = new Set<WorkspacePackage>();
  const begun = new Set<WorkspacePackage>();
  const add = (one: WorkspacePackage): void => {
    if (begun.has(one)) return;
    begun.add(one);
    for (const used of packages.filter(({ name }) => one.uses.has(name))) add(used);
    sorted.add(one);
  };
  for (const one of packages) add(one);
  return [...sorted];
}
