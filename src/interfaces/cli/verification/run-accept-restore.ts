import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findPutAside, type PutAside, takeUp } from '../../../enforcement/windows/put-aside.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { findGitFolder } from '../../../platform/git-folder.ts';
import type { CliContext, Report } from '../cli-command.ts';
import { personName, requirePerson } from './person-name.ts';

interface RestoreInput {
  path: string | undefined;
  reason: string;
  dryRun: boolean;
}

/** A person's word that what was put back was theirs: it is brought back from quarantine, and accepted. */
export async function runAcceptRestore(
  context: CliContext,
  { path, reason, dryRun }: RestoreInput,
): Promise<Report> {
  if (path === undefined) throw noPath();
  const { project, home } = await context.workspace();
  const git = findGitFolder(context.cwd);
  const ledger = await context.ledger();
  const found =
    git && project.known
      ? findPutAside({ ledger, project: project.id, git, dataFolder: home }, placeOf(context.cwd, path))
      : undefined;
  if (!found || !project.known) throw nothingKept(path);
  const what = describe(found);
  if (dryRun) return report(found, `would bring back: ${what}`);
  requirePerson(context, 'accept changes');
  const answer = await context.ask(`${what}\nBring it back and accept it as yours? [y/N] `);
  if (!/^y/i.test(answer.trim())) throw declined();
  // First the word: a hook that looks in between then lets it be.
  ledger.append(project.id, 'acceptance_recorded', {
    path: found.path,
    digest: found.violation.found_hash,
    reason,
    by: personName(context.env),
  });
  takeUp(found);
  return report(found, `brought back and accepted: ${found.path}`);
}

/** The folder may be reached by another name; the file itself is not followed. */
function placeOf(cwd: string, path: string): string {
  const absolute = resolve(cwd, path);
  try {
    return join(realpathSync(dirname(absolute)), absolute.slice(dirname(absolute).length));
  } catch {
    // Safe: its folder is gone with it, and the name is compared as it is.
    return absolute;
  }
}

function describe({ path, at, copy, violation: { agent, session } }: PutAside): string {
  const version = copy === undefined ? 'removed' : `as in ${copy}`;
  return `${path}, ${version}; put back at ${at} during an action of ${agent} ${session}`;
}

function report({ path, at, copy }: PutAside, text: string): Report {
  return { json: { restored: { path, at, copy: copy ?? null } }, text };
}

function noPath(): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: 'With --restore the file has to be named.',
    hint: 'The notice of the put-back names it: `guardkit accept --restore PATH`.',
  });
}

function nothingKept(path: string): GuardKitError {
  return new GuardKitError({
    code: 'accept.nothing-put-back',
    kind: 'input',
    message: `No version of ${path} was put back in this project.`,
    hint: 'Name it as the notice does, in the checkout in which it happened.',
  });
}

function declined(): GuardKitError {
  return new GuardKitError({
    code: 'accept.declined',
    kind: 'refused',
    message: 'Nothing was brought back.',
    hint: 'The copy stays in quarantine; run the command again to have it.',
  });
}
