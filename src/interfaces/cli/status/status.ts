import * as z from 'zod';
import { observeChanges } from '../../../enforcement/hooks/observe-changes.ts';
import { pendingDefinitions } from '../../../enforcement/provenance/pending-definitions.ts';
import type { WatchContext } from '../../../enforcement/watch/watch-context.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import { openProjectLedger } from '../open-project-ledger.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openWatchContext } from '../protection/own-files.ts';
import { personName } from '../verification/person-name.ts';
import { describeStatus, nextCommands, shownChanges } from './describe-status.ts';
import { gatherStatus, type ShownPending } from './gather-status.ts';

export const status = defineCommand({
  name: 'status',
  summary: 'Show what is protected, pending, running and refused',
  changes: true,
  schema: z.object({ json: z.boolean().default(false), dryRun: z.boolean().default(false) }),
  run: runStatus,
});

async function runStatus(
  context: CliContext,
  { json, dryRun }: { json: boolean; dryRun: boolean },
): Promise<Report> {
  const git = findGitFolder(context.cwd);
  if (!git)
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: 'This folder is not in a git repository.',
      hint: 'Run the command inside a project.',
    });
  const opened = await openProjectLedger(context);
  // First, so that the page shows changes made since the last hook.
  const watched = await openWatchContext(context);
  const notices = watched && !dryRun ? observeChanges(watched).notices : [];
  const pending = watched ? readPending(watched) : [];
  const facts = await gatherStatus(context, opened, git, pending);
  const paths = new Set(shownChanges(facts.changes).map(({ absolute }) => absolute));
  const shown = facts.changes.filter(({ absolute }) => paths.has(absolute)).map(({ number }) => number);
  // Only if a person sees the page, and only what it shows.
  const marks = !json && !dryRun && shown.length > 0 && context.findPerson().present;
  if (marks)
    opened.ledger.append(opened.project, 'changes_seen', { numbers: shown, by: personName(context.env) });
  const { now, ...stated } = facts;
  return {
    json: { ...stated, at: new Date(now).toISOString(), next: nextCommands(facts) },
    text: describeStatus(facts, context.width, marks),
    notices,
  };
}

function readPending(context: WatchContext): ShownPending[] {
  return pendingDefinitions(context).map(({ path, change, needs }) => ({ path, change, needs }));
}
