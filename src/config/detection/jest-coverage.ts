import type { PackageFile } from './package-files.ts';
import { calledScripts, lastCommand, type ScriptCommand, scriptCommands } from './script-commands.ts';

export const JEST_FLAGS = '--coverage --coverageReporters=lcovonly --coverageDirectory=coverage';

/**
 * The script that measures coverage if the flags are added to it. Of several runs of jest, the last one may turn coverage
 * off, because its environment does not allow code to be measured.
 */
export function measuredJestScript({ scripts = {} }: PackageFile, script: string): string {
  if (!refusesCoverage(lastCommand(scripts, script))) return script;
  const found = calledScripts(scripts, script).find((name) => {
    const last = scriptCommands(scripts[name] ?? '').at(-1);
    return last?.program === 'jest' && !refusesCoverage(last);
  });
  return found ?? script;
}

function refusesCoverage(call: ScriptCommand | undefined): boolean {
  return call?.args.some((arg) => /^--(?:no-coverage|coverage=false)$/.test(arg)) ?? false;
}
