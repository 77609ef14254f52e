import { escapePattern } from '../../domain/escape-pattern.ts';
import type { PackageFile, WorkspacePackage } from './package-files.ts';
import { type PackageManager, runScript } from './package-manager.ts';
import { mentions, type ProjectView } from './project-view.ts';
import { calledScripts, scriptCommands } from './script-commands.ts';
import { buildEveryPackage } from './workspace-commands.ts';

export interface BuildCommand {
  command: string;
  /** Whether tests load its output; otherwise, they may. */
  needed: boolean;
}

/** A build that comes before the tests, unless a script of theirs starts it already. */
export function buildCommand(
  view: ProjectView,
  file: PackageFile,
  manager: PackageManager,
  { script, packages }: { script: string | undefined; packages: readonly WorkspacePackage[] },
): BuildCommand | undefined {
  if (file.scripts?.build !== undefined || file.scripts?.compile !== undefined)
    return buildScript(view, file, manager, script);
  const command = buildEveryPackage(manager, packages);
  return command === undefined ? undefined : { command, needed: false };
}

function buildScript(
  view: ProjectView,
  file: PackageFile,
  manager: PackageManager,
  script: string | undefined,
): BuildCommand | undefined {
  const scripts = file.scripts ?? {};
  // A `build` that runs the tests as well is not what they need.
  const build = ['build', 'compile'].find(
    (name) =>
      scripts[name] !== undefined && (script === undefined || !calledScripts(scripts, name).includes(script)),
  );
  if (build === undefined) return undefined;
  const around = script === undefined ? [] : [`pre${script}`, script];
  const called = around.flatMap((name) => calledScripts(scripts, name));
  // Installing runs these.
  const installed = ['prepare', 'postinstall'].flatMap((name) => calledScripts(scripts, name));
  if ([...called, ...installed].includes(meantScript(scripts, build))) return undefined;
  const compiles = called
    .flatMap((name) => scriptCommands(scripts[name] ?? ''))
    .some(({ program }) => /^(?:tsc|tsup|rollup|esbuild|turbo|nx)$/.test(program));
  const command = runScript(manager, build);
  // `tsc` may only check types.
  return { command, needed: !compiles && usesBuild(view, file) };
}

/** Of `build: npm run prepare`, the script `prepare`. */
function meantScript(scripts: Readonly<Record<string, string>>, name: string): string {
  const [only = name] = calledScripts(scripts, name).slice(1);
  return scriptCommands(scripts[name] ?? '').length === 1 ? only : name;
}

/** Tests that load build output. */
function usesBuild(view: ProjectView, file: PackageFile): boolean {
  const folder = builtFolder(view, file);
  const tests = view.files
    .filter((path) => /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec)\.[cm]?[jt]sx?$/.test(path))
    .slice(0, 300);
  const folders =
    folder === undefined ? ['dist', 'build', 'out'].filter((one) => !hasFolder(view, one)) : [folder];
  const relative = new RegExp(
    `(?:from|require\\(|import\\()\\s*["'](?:\\.\\.?/)+(?:${folders.map(escapePattern).join('|')})(?:/|["'])`,
  );
  return folders.length > 0 && mentions(view, tests, relative);
}

/** The folder of a package's entry, if the repository does not contain it. */
function builtFolder(view: ProjectView, file: PackageFile): string | undefined {
  const entries = [file.main, file.module, ...pathsIn(file.exports)].filter((path) => path !== undefined);
  const folders = entries.map((path) => /^(?:\.\/)?([\w.-]+)\//.exec(path)?.[1]);
  return folders.find((one) => one !== undefined && !hasFolder(view, one));
}

function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(pathsIn);
}

function hasFolder(view: ProjectView, folder: string): boolean {
  return view.files.some((path) => path.startsWith(`${folder}/`));
}
