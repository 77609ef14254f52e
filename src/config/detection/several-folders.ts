import { posix } from 'node:path';
import type { VerifyConfig } from '../project/verify-config.ts';

/** More would make a command that nobody can read. */
export const MOST_FOLDERS = 20;

/** A project in a folder of the repository; `.` is its root. */
export interface FolderCommands {
  folder: string;
  verify: VerifyConfig;
}

/** The commands of a project in a folder, for the repository's root. */
export function inFolder({ setup, tests, coverage }: VerifyConfig, folder: string): VerifyConfig {
  if (folder === '.')
    return { ...(setup ? { setup } : {}), ...(tests ? { tests } : {}), ...(coverage ? { coverage } : {}) };
  const within = (command: string) => `cd ${folder} && ${command}`;
  return {
    ...(typeof setup === 'string' ? { setup: within(setup) } : {}),
    ...(tests
      ? {
          tests: {
            command: within(tests.command),
            ...(tests.report === undefined ? {} : { report: `${folder}/${tests.report}` }),
          },
        }
      : {}),
    ...(coverage
      ? {
          coverage: {
            ...(coverage.command === undefined ? {} : { command: within(coverage.command) }),
            report: `${folder}/${coverage.report ?? 'coverage/lcov.info'}`,
          },
        }
      : {}),
  };
}

/** The commands of several projects as one: the tests of all run, even if those of the first fail. */
export function inSeveralFolders(parts: readonly FolderCommands[]): VerifyConfig {
  const [only] = parts;
  if (only && parts.length === 1) return inFolder(only.verify, only.folder);
  const moved = parts.map(({ folder, verify }) => inFolder(verify, folder));
  const commandsOf = (kind: 'tests' | 'coverage') => moved.flatMap((one) => one[kind]?.command ?? []);
  const setups = moved.flatMap(({ setup }) => (typeof setup === 'string' ? [setup] : []));
  const measuring = commandsOf('coverage');
  const reports = new Set(parts.flatMap(({ verify }) => verify.coverage?.report ?? []));
  const [report] = reports;
  const isMeasured = reports.size === 1 && parts.every(({ verify }) => verify.coverage !== undefined);
  return {
    ...(setups.length > 0 ? { setup: setups.map(grouped).join(' && ') } : {}),
    tests: { command: all(commandsOf('tests')) },
    ...(isMeasured && report !== undefined
      ? {
          coverage: {
            ...(measuring.length > 0 ? { command: all(measuring) } : {}),
            report: `**/${posix.basename(report)}`,
          },
        }
      : {}),
  };
}

function all(commands: readonly string[]): string {
  return ['failed=0', ...commands.map((command) => `${grouped(command)} || failed=1`), 'exit $failed'].join(
    '; ',
  );
}

/** The shell returns to its folder. */
function grouped(command: string): string {
  return command.startsWith('cd ') ? `(${command})` : command;
}
