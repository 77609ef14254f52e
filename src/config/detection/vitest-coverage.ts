import { majorOf } from './package-files.ts';
import { type PackageManager, runInstalled } from './package-manager.ts';
import type { ScriptCommand } from './script-commands.ts';

/** By default, vitest writes no lcov. */
export const VITEST_REPORT = 'coverage/coverage-final.json';
export const VITEST_FLAGS =
  '--coverage.enabled --coverage.reporter=lcovonly --coverage.reportsDirectory=coverage';

/** Vitest needs a separate package for coverage; without it, the option fails. */
export function measuresVitest(packages: ReadonlyMap<string, string>): boolean {
  return [...packages.keys()].some((name) => /^(?:@vitest\/coverage-|vitest-\w+-coverage$)/.test(name));
}

/**
 * The call of a script with `--coverage`, which vitest before 1.3 refuses next to options of coverage: without it.
 * Undefined if options can be added to the script.
 */
export function withoutPlainCoverage(
  manager: PackageManager,
  packages: ReadonlyMap<string, string>,
  call: ScriptCommand | undefined,
): string | undefined {
  const isOld = (majorOf(packages.get('vitest')) ?? 2) < 2;
  if (!isOld || call?.program !== 'vitest' || !call.args.includes('--coverage')) return undefined;
  const others = call.args.filter((arg) => arg !== '--coverage');
  // Quotes and variables are for the shell, which the script would have passed.
  if (!others.every((arg) => /^[\w./@:=,-]+$/.test(arg))) return undefined;
  return runInstalled(manager, ['vitest', ...others, VITEST_FLAGS].join(' '));
}
