import { majorOf, type PackageFile } from './package-files.ts';
import { mentions, type ProjectView } from './project-view.ts';

/** How to call a project's package manager. */
export interface PackageManager {
  name: 'npm' | 'pnpm' | 'yarn' | 'yarn-berry' | 'bun';
  /** The program of each command, such as `corepack pnpm`. */
  program: string;
  /** Installs what the lock file lists. */
  install: string;
  /** Whether it has `yarn workspaces foreach`: part of yarn since version 4, a plugin before. */
  hasForeach: boolean;
  notes: string[];
}

type Name = PackageManager['name'];

/** The pinned package manager, otherwise the one of the lock file. */
export function findPackageManager(view: ProjectView, file: PackageFile): PackageManager {
  const [, pinned, version] = /^(npm|pnpm|yarn|bun)@(\d+[\w.-]*)/.exec(file.packageManager ?? '') ?? [];
  const name = pinned === undefined ? byLockFile(view) : withYarnVersion(pinned as Name, view, version);
  const { program, notes } = programOf(name, view, version);
  return {
    name,
    program,
    install: installCommand(name, program, view),
    hasForeach: name === 'yarn-berry' && hasForeach(view, version),
    notes,
  };
}

function hasForeach(view: ProjectView, version: string | undefined): boolean {
  const released = /yarn-(\d+)\.[^/]*$/.exec(yarnRelease(view) ?? '')?.[1];
  return (
    (majorOf(released ?? version) ?? 4) >= 4 || mentions(view, ['.yarnrc.yml'], 'plugin-workspace-tools')
  );
}

function byLockFile(view: ProjectView): Name {
  if (view.has('pnpm-lock.yaml') || view.has('pnpm-workspace.yaml')) return 'pnpm';
  if (view.has('bun.lock') || view.has('bun.lockb')) return 'bun';
  if (view.has('yarn.lock')) return withYarnVersion('yarn', view, undefined);
  return 'npm';
}

function withYarnVersion(name: Name, view: ProjectView, version: string | undefined): Name {
  if (name !== 'yarn') return name;
  const isBerry =
    version === undefined
      ? view.has('.yarnrc.yml') || (view.text('yarn.lock') ?? '').includes('__metadata:')
      : (majorOf(version) ?? 1) > 1;
  return isBerry ? 'yarn-berry' : 'yarn';
}

function programOf(
  name: Name,
  view: ProjectView,
  version: string | undefined,
): { program: string; notes: string[] } {
  if (name === 'npm') return { program: 'npm', notes: [] };
  const own = yarnRelease(view);
  if (name === 'yarn-berry' && own) return { program: `node ${own}`, notes: [] };
  const word = name === 'yarn-berry' ? 'yarn' : name;
  const viaCorepack = { program: `corepack ${word}`, notes: [] };
  // An installed yarn may be version 1, which refuses a project with a later one.
  if (name === 'yarn-berry' && version !== undefined && view.hasProgram('corepack')) return viaCorepack;
  if (view.hasProgram(word)) return { program: word, notes: [] };
  if (name !== 'bun' && view.hasProgram('corepack')) return viaCorepack;
  const exact = version ?? (name === 'yarn-berry' ? '4' : name === 'yarn' ? '1' : undefined);
  const packageName = name === 'yarn-berry' ? '@yarnpkg/cli-dist' : word;
  const program = `npx --yes ${packageName}${exact === undefined ? '' : `@${exact}`}`;
  return { program, notes: [`${word} is not installed here; the commands run it through npx.`] };
}

/** Yarn's own release file, if the repository contains it. */
function yarnRelease(view: ProjectView): string | undefined {
  const configured = /^yarnPath:\s*["']?([^"'\s]+)/m.exec(view.text('.yarnrc.yml') ?? '')?.[1];
  if (configured !== undefined && view.has(configured)) return configured;
  return view.files.find((file) => /^\.yarn\/releases\/yarn-[\w.-]+\.c?js$/.test(file));
}

function installCommand(name: Name, program: string, view: ProjectView): string {
  switch (name) {
    case 'npm':
      return view.has('package-lock.json') || view.has('npm-shrinkwrap.json')
        ? 'npm ci'
        : 'npm install --no-package-lock';
    case 'pnpm':
      return `${program} install ${view.has('pnpm-lock.yaml') ? '--frozen-lockfile' : '--no-lockfile'}`;
    case 'yarn':
      return `${program} install ${view.has('yarn.lock') ? '--frozen-lockfile' : '--no-lockfile'}`;
    case 'yarn-berry': {
      // Plug'n'Play loads packages from the cache, so it must be in the checkout.
      const inCheckout = /^nodeLinker:\s*["']?(?:node-modules|pnpm)/m.test(view.text('.yarnrc.yml') ?? '');
      const cache = inCheckout ? '' : 'YARN_ENABLE_GLOBAL_CACHE=false ';
      return `${cache}${program} install${view.has('yarn.lock') ? ' --immutable' : ''}`;
    }
    case 'bun':
      return `${program} install${view.has('bun.lock') || view.has('bun.lockb') ? ' --frozen-lockfile' : ''}`;
  }
}

/** Runs a script of the package.json. */
export function runScript({ name, program }: PackageManager, script: string): string {
  if (script === 'test' && name !== 'bun') return `${program} test`;
  return `${program} run ${script}`;
}

/** Runs a script with extra arguments for its last command. */
export function runScriptWith(manager: PackageManager, script: string, args: string): string {
  // `pnpm test` takes options for its own and refuses those it does not know.
  if (manager.name === 'pnpm') return `${manager.program} run ${script} ${args}`;
  // Only npm needs the dashes; bun would pass them on, and yarn 1 warns.
  return `${runScript(manager, script)} ${manager.name === 'npm' ? '-- ' : ''}${args}`;
}

/** Runs a program that the project has installed. */
export function runInstalled({ name, program }: PackageManager, command: string): string {
  if (name === 'npm') return `npx --no-install ${command}`;
  if (name === 'bun') return `bunx --no-install ${command}`;
  return name === 'pnpm' ? `${program} exec ${command}` : `${program} run ${command}`;
}
