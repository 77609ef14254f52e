import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { didYouMean, nearestWord } from '../../../domain/nearest-word.ts';
import { currentActor } from '../../../enforcement/feature-list/change-actor.ts';
import { listContext } from '../../../enforcement/feature-list/known-list.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { SessionContext } from '../../../orchestration/in-agent/session-context.ts';
import { type KeptSession, openSessions } from '../../../orchestration/session-record/kept-session.ts';
import { systemClock } from '../../../platform/clock.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import type { CliContext } from '../program/cli-command.ts';

/** The context of session commands. Without a ledger there are no sessions. */
export async function openSessionContext(context: CliContext): Promise<SessionContext> {
  const { cwd, env } = context;
  const { home, project } = await context.workspace();
  const git = findGitFolder(cwd);
  if (!git || !project.known)
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: `GuardKit is not set up in this project${project.known ? '' : `: ${project.why}`}.`,
      hint: project.known ? 'Run the command inside the project.' : project.hint,
    });
  if (!existsSync(join(home, 'ledger.db')))
    throw noSession('GuardKit has not been used on this machine yet.');
  const ledger = await context.ledger();
  const list = listContext(ledger, project.id, git.root, home);
  const { checkout, dataFolder } = list;
  return {
    ledger,
    project: project.id,
    checkout,
    dataFolder,
    watch: { ledger, project: project.id, checkout, git, dataFolder, home: env.HOME ?? homedir(), globs: [] },
    list: { ...list, checkout: realpathSync(checkout) },
    changedBy: currentActor(list, env),
    env,
    now: () => new Date(systemClock()).toISOString(),
  };
}

/** The named open session, or the only one. */
export function requireSession(
  { ledger, project }: Pick<SessionContext, 'ledger' | 'project'>,
  id: string | undefined,
): KeptSession {
  const open = openSessions(ledger, project);
  const found = id === undefined ? open : open.filter(({ session }) => session.session === id);
  const [only] = found;
  if (only && found.length === 1) return only;
  const ids = open.map(({ session }) => session.session);
  const names = ids.join(', ');
  const near = id === undefined ? undefined : nearestWord(id, ids);
  throw noSession(
    id !== undefined
      ? `No open session ${id.slice(0, 80)}.${didYouMean(near)}${names === '' ? '' : ` Open: ${names}.`}`
      : found.length === 0
        ? 'No session is open in this project.'
        : `Several sessions are open: ${names}. Choose one with --session.`,
  );
}

function noSession(message: string): GuardKitError {
  return new GuardKitError({
    code: 'session.none',
    kind: 'input',
    message,
    hint: 'Type /guardkit-run in Claude Code to start one, or run `guardkit run`.',
  });
}
