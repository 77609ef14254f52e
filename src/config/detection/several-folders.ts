import { posix } from 'node:path';
import type { VerifyConfig } from '../project/verify-config.ts';

type Coverage = NonNullable<VerifyConfig['coverage']>;

const DEFAULT_REPORT = 'coverage/lcov.info';

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
            report: reportsIn(coverage.report, folder),
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
  const setups = moved.flatMap(({ setup }) => (typeof setup === 'string' ? [setup] : []));
  const [report, ...others] = moved.flatMap(({ tests }) => tests?.report ?? []);
  const isMeasured = moved.every(({ coverage }) => coverage !== undefined);
  return {
    ...(setups.length > 0 ? { setup: setups.map(grouped).join(' && ') } : {}),
    tests: {
      command: all(moved.flatMap(({ tests }) => tests?.command ?? [])),
      ...(report !== undefined && others.length === 0 ? { report } : {}),
    },
    ...(isMeasured ? { coverage: coverageOf(parts, moved) } : {}),
  };
}

function coverageOf(parts: readonly FolderCommands[], moved: readonly VerifyConfig[]): Coverage {
  const own = moved.flatMap(({ coverage }) => coverage?.command ?? []);
  // One command measures everything, so it also runs the tests that write a report themselves.
  const measuring = moved.flatMap(({ coverage, tests }) => coverage?.command ?? tests?.command ?? []);
  const names = new Set(parts.flatMap(({ verify }) => [verify.coverage?.report ?? DEFAULT_REPORT].flat()));
  const [name = DEFAULT_REPORT] = names;
  return {
    ...(own.length > 0 ? { command: all(measuring) } : {}),
    report:
      names.size === 1
        ? `**/${posix.basename(name)}`
        : moved.flatMap(({ coverage }) => [coverage?.report ?? DEFAULT_REPORT].flat()),
  };
}

/** The reports of a project in a folder, by their paths from the root. */
function reportsIn(report: Coverage['report'] = DEFAULT_REPORT, folder: string): Coverage['report'] {
  return typeof report === 'string' ? `${folder}/${report}` : report.map((one) => `${folder}/${one}`);
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
