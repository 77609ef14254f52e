import * as z from 'zod';
import { projectConfigSchema } from '../../../config/project/project-config.ts';
import { readYamlFile } from '../../../config/yaml/yaml-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { drive } from '../../../orchestration/in-agent/drive.ts';
import { type SessionContext, sessionFilesOf } from '../../../orchestration/in-agent/session-context.ts';
import { noteDriven, takeNotices } from '../../../orchestration/in-agent/session-details.ts';
import { runDetails } from '../../../orchestration/run/run-details.ts';
import { tidyUpAbandoned } from '../../../orchestration/run/tidy-up-run.ts';
import { nextAction } from '../../../orchestration/session/project-session.ts';
import type { Session } from '../../../orchestration/session/session.ts';
import { applyEvent } from '../../../orchestration/session-record/apply-event.ts';
import type { KeptSession } from '../../../orchestration/session-record/kept-session.ts';
import { systemClock } from '../../../platform/clock.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { withBaseFile } from '../../../verification/definition/with-base-file.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { refuseAgents } from '../verification/person-name.ts';
import { openSessionContext, requireSession } from './open-session-context.ts';
import { sessionJson } from './status.ts';

/** A command that controls an open session. */
function told(name: Order, summary: string) {
  return defineCommand({
    name,
    summary,
    options: [['--session <id>', 'Session, if several are open']],
    changes: true,
    schema: z.object({
      session: z.string().min(1).max(200).optional(),
      dryRun: z.boolean().default(false),
    }),
    async run(context, input) {
      return runTold(context, name, input);
    },
  });
}

export const pause = () => told('pause', 'Pause the session (person only)');

export const resume = () => told('resume', 'Resume a paused session (person only)');

export const abandon = () => told('abandon', 'End the session; features keep their status (person only)');

type Order = 'pause' | 'resume' | 'abandon';

const EVENTS = {
  pause: { type: 'paused' },
  resume: { type: 'resumed' },
  abandon: { type: 'abandoned' },
} as const;

const DONE: Record<Order, string> = { pause: 'is paused', resume: 'continues', abandon: 'has ended' };

/** Person only: otherwise an agent could end its own session early. */
async function runTold(
  context: CliContext,
  order: Order,
  input: { session?: string | undefined; dryRun: boolean },
): Promise<Report> {
  const opened = await openSessionContext(context);
  const before = requireSession(opened, input.session);
  const { session: id, driven_by } = before.session;
  if (order === 'resume' && driven_by === 'run') throw resumedByRun(id);
  const why = whyNot(order, before.session);
  if (why !== undefined) return { json: { ...sessionJson(opened, before), changed: false }, text: why };
  if (input.dryRun)
    return {
      json: { ...sessionJson(opened, before), changed: false, dry_run: true },
      text: `would ${order} session ${id}`,
    };
  await refuseAgents(context, `${order} a session`);
  const { kept, refused } =
    driven_by === 'run'
      ? applyEvent(sessionFilesOf(opened), id, { ...EVENTS[order], at: opened.now() })
      : await drive(opened, id, EVENTS[order], { verifyWithin: null });
  if (refused !== undefined)
    throw new GuardKitError({
      code: 'session.refused',
      kind: 'refused',
      message: `Session ${id} was not changed: ${refused}.`,
      hint: 'Check `guardkit session status`.',
    });
  noteDriven(opened, kept, 'claude');
  const left = order === 'abandon' && driven_by === 'run' ? await leaveRun(context, opened, kept) : [];
  return {
    json: { ...sessionJson(opened, kept), changed: true },
    text: [
      `Session ${id} ${DONE[order]}.`,
      ...takeNotices(opened, kept),
      ...left,
      ...(order === 'resume'
        ? [nextAction(kept.session), 'If the agent is waiting, type /guardkit-run in it.']
        : []),
    ].join('\n'),
  };
}

function whyNot(order: Order, { session, phase }: Session): string | undefined {
  if (order === 'pause' && phase === 'paused') return `Session ${session} is already paused.`;
  if (order === 'resume' && phase !== 'paused') return `Session ${session} is not paused: it is ${phase}.`;
  return undefined;
}

function resumedByRun(id: string): GuardKitError {
  return new GuardKitError({
    code: 'session.run-resumes',
    kind: 'input',
    message: `Session ${id} belongs to \`guardkit run\`.`,
    hint: 'Run `guardkit run` to resume it.',
  });
}

/** Cleans up after an abandoned run; returns what remains, for the person. */
async function leaveRun(
  context: CliContext,
  { project, checkout, dataFolder }: SessionContext,
  kept: KeptSession,
): Promise<string[]> {
  const { base, branch, completed } = runDetails(kept);
  const repository = await Repository.open(checkout);
  const isHere = (await repository.commit(base)) !== undefined;
  if (isHere) {
    const config = await withBaseFile(repository, base, '.guardkit/config.yaml', async (file) => {
      const read = await readYamlFile(file, projectConfigSchema);
      return read.ok ? read.value : {};
    });
    const emit = (event: { type: string; text?: string }) => {
      if (event.type === 'notice' && event.text !== undefined) context.progress(event.text);
    };
    await tidyUpAbandoned({ home: dataFolder, project, repository, config, clock: systemClock, emit }, kept);
  }
  const done = Object.keys(completed).length;
  return done === 0
    ? []
    : [
        `${plural(done, 'feature')} that it completed and verified separately ${done === 1 ? 'is' : 'are'} on ${branch}: git merge --no-ff ${branch}`,
      ];
}
