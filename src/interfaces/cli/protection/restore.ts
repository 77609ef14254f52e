import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { bringBack, copyOf } from '../../../enforcement/restore/bring-back.ts';
import { type FileState, isLinkHash, readFileState } from '../../../enforcement/restore/file-state.ts';
import { listRestorable, type Restorable, versionsOf } from '../../../enforcement/restore/list-restorable.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { localTime } from '../../../platform/clock.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import { confirm } from '../input/questions.ts';
import { openProjectLedger, type ProjectLedger } from '../open-project-ledger.ts';
import { describeDifference, octal } from '../output/describe-difference.ts';
import { oneLine, plural, printable } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { withoutPath, withPath } from '../status/log-event.ts';
import { personName, requirePerson } from '../verification/person-name.ts';
import { ownFiles } from './own-files.ts';

export const restore = defineCommand({
  name: 'restore',
  summary: 'Get back a version that GuardKit replaced (person only)',
  arguments: [['[path]', 'File (default: list all kept versions)']],
  options: [
    ['--version <n>', 'Version number in the list (default: 1)'],
    ['--diff', 'Show the difference without changing anything'],
    ['--yes', 'Restore without asking (person only)'],
  ],
  changes: true,
  schema: z.object({
    path: z.string().min(1).optional(),
    version: z
      .string()
      .regex(/^[1-9][0-9]{0,5}$/, 'expected a number such as 2')
      .transform(Number)
      .optional(),
    diff: z.boolean().default(false),
    yes: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  run: runRestore,
});

export interface RestoreInput {
  path?: string | undefined;
  version?: number | undefined;
  diff: boolean;
  yes: boolean;
  dryRun: boolean;
}

export async function runRestore(context: CliContext, input: RestoreInput): Promise<Report> {
  const opened = await openProjectLedger(context);
  const git = findGitFolder(context.cwd);
  const all = listRestorable(opened.ledger, opened.project, git);
  const { path, version: wanted } = input;
  if (path === undefined && wanted === undefined) return listReport(all, context.width);
  const versions = path === undefined ? all : versionsOf(all, path, context.cwd, realPath);
  const version = versions[(wanted ?? 1) - 1];
  if (!version) throw noSuchVersion(path, wanted, versions.length);
  const shown = describeVersion(
    opened,
    version,
    all.filter((one) => one.absolute === version.absolute).length,
  );
  const json = versionJson(version);
  if (input.diff || input.dryRun)
    return { json: { version: json, restored: false, diff: shown.diff }, text: shown.text };
  requirePerson(context, 'restore files');
  const question = shown.newer
    ? `${shown.text}\n\n${version.path} has been edited since; that edit will be kept. Restore this version?`
    : `${shown.text}\n\nRestore this version?`;
  if (!input.yes && !(await confirm(context, printable(question)))) throw cancelled();
  const checkout = git?.root ?? context.cwd;
  const result = bringBack(
    { ...opened, dataFolder: opened.home, checkout },
    version,
    personName(context.env),
  );
  if (result.changed) await ownFiles(context, [version.absolute]);
  return {
    json: { version: json, restored: result.changed, replaced: result.kept },
    text: result.changed
      ? `Restored ${version.path}${result.mode === null ? '' : ` (mode ${octal(result.mode)})`}.${
          result.kept === null
            ? ''
            : ` The replaced version is kept: \`guardkit restore ${version.path}\` undoes this.`
        }`
      : `${version.path} is already at this version.`,
  };
}

function listReport(versions: readonly Restorable[], width: number): Report {
  const lines = versions.map((one, index) => {
    const head = `${String(index + 1).padStart(4)}  ${localTime(one.at)}  `;
    const kept = one.hash === null ? ' (no file)' : one.mode === null ? '' : ` (${octal(one.mode)})`;
    return `${head}${oneLine(`${one.path}${kept}: ${withoutPath(one.path, one.what)}`, width - head.length)}`;
  });
  return {
    json: { versions: versions.map(versionJson) },
    text:
      versions.length === 0
        ? 'GuardKit has restored no file in this project.'
        : [
            `${plural(versions.length, 'kept version')}, newest first:`,
            ...lines,
            '`guardkit restore PATH` shows the newest kept version of a file and brings it back.',
            '`guardkit restore --version N` does the same for version N in this list.',
          ].join('\n'),
  };
}

/** Longer than any restore takes. */
const RESTORE_MS = 2000;
const CONTENT_HASH = /^(?:(?:link:)?[0-9a-f]{64}|folder)$/;

interface ShownVersion {
  text: string;
  diff: string;
  /** The file is neither this version nor the one that GuardKit restored. */
  newer: boolean;
}

function describeVersion(opened: ProjectLedger, version: Restorable, count: number): ShownVersion {
  const { absolute, path, at, hash, mode, what } = version;
  const now = readFileState(absolute);
  const diff = describeDifference(
    { file: now.kind === 'absent' ? undefined : absolute, label: `${path} (now)`, mode: now.mode },
    {
      file: copyOf(opened.home, version),
      label: `${path} (kept ${localTime(at)})`,
      mode: mode ?? now.mode,
      link: hash !== null && isLinkHash(hash),
    },
  );
  const head = `Kept ${localTime(at)}: ${withPath(path, what)}${hash === null ? '\nIn this version the file does not exist.' : ''}`;
  const more = count > 1 ? `\n${plural(count, 'version')} of it are kept; choose with --version N.` : '';
  return {
    text: `${head}${more}\n${diff}`,
    diff,
    newer: now.hash !== hash && wasEditedSince(opened, version, now),
  };
}

/** Neither the kept version nor the one that GuardKit restored. */
function wasEditedSince(
  { ledger, project }: ProjectLedger,
  { number, at, absolute }: Restorable,
  now: FileState,
): boolean {
  if (now.kind === 'absent') return false;
  const entry = ledger.entries(project, { afterNumber: number - 1, limit: 1 })[0]?.body;
  const left = entry?.restored_hash === undefined ? entry?.before_hash : entry.restored_hash;
  if (left === null || (typeof left === 'string' && CONTENT_HASH.test(left))) return now.hash !== left;
  // The restored version is not on record by its content; a file's change time cannot be set.
  return lstatSync(absolute).ctimeMs > Date.parse(at) + RESTORE_MS;
}

function versionJson({
  number,
  at,
  path,
  absolute,
  hash,
  mode,
  quarantined,
  reason,
  agent,
  session,
  what,
}: Restorable) {
  return { number, at, path, absolute, hash, mode, quarantined, reason, agent, session, what };
}

/** A folder may have several names; the file itself is not followed. */
function realPath(absolute: string): string {
  try {
    return join(realpathSync(dirname(absolute)), basename(absolute));
  } catch {
    // Safe: the folder is gone with the file, and the path is compared as typed.
    return absolute;
  }
}

function noSuchVersion(path: string | undefined, wanted: number | undefined, count: number): GuardKitError {
  const of = path === undefined ? '' : ` of ${path}`;
  return new GuardKitError({
    code: 'restore.no-version',
    kind: 'input',
    message:
      count === 0
        ? path === undefined
          ? 'No version is kept: GuardKit has restored no file in this project.'
          : `No version of ${path} is kept: GuardKit has not restored it in this project.`
        : `--version ${wanted}: only ${plural(count, 'version')}${of} are kept.`,
    hint: 'Run `guardkit restore` to list all kept versions.',
  });
}

function cancelled(): GuardKitError {
  return new GuardKitError({
    code: 'restore.cancelled',
    kind: 'refused',
    message: 'Cancelled; nothing changed.',
    hint: 'GuardKit still keeps the version; run the command again and answer y.',
  });
}
