import { findSession, isOver } from '../../../enforcement/actions/sessions.ts';
import type { SessionContext } from '../../../orchestration/in-agent/session-context.ts';
import { nextAction, projectSession } from '../../../orchestration/session/project-session.ts';
import { END_WORDS } from '../../../orchestration/session/session-step.ts';
import {
  endedSessions,
  type KeptSession,
  openSessions,
} from '../../../orchestration/session-record/kept-session.ts';
import { readFeature } from '../../../store/ledger/tables/feature-table.ts';
import { oneLine } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openSessionContext } from './open-session-context.ts';

export const status = defineCommand({
  name: 'status',
  summary: 'Show open sessions and their next step; exit 1 if none',
  run: runStatus,
});

async function runStatus(context: CliContext): Promise<Report> {
  const opened = await openSessionContext(context);
  const { ledger, project } = opened;
  const open = openSessions(ledger, project);
  const [last] = endedSessions(ledger, project, 1);
  return {
    json: {
      open: open.map((kept) => sessionJson(opened, kept)),
      last_ended: last ? sessionJson(opened, last) : null,
    },
    text: [
      ...open.flatMap((kept) => describe(opened, kept, context.width)),
      ...(open.length === 0 ? ['No session is open in this project.'] : []),
      ...(last && open.length === 0 ? ['Last session:', ...describe(opened, last, context.width)] : []),
    ].join('\n'),
    exitCode: open.length === 0 ? 1 : 0,
  };
}

/** A session as JSON. */
export function sessionJson(opened: SessionContext, kept: KeptSession) {
  const { session, began_at, checkout, agent_session } = kept;
  const { driven_by, completed, blocked, reopened, left, left_count, spent_usd, pause, end } = session;
  return {
    ...projectSession(session),
    driven_by,
    began_at,
    checkout,
    agent_session,
    agent_open: isOpen(opened, kept),
    pause,
    end,
    completed,
    blocked: blocked.map((id) => ({
      feature: id,
      question: readFeature(opened.ledger, opened.project, id)?.blocked_reason ?? null,
    })),
    reopened,
    left,
    left_count,
    spent_usd,
  };
}

/** Whether its agent is still running; null if GuardKit drives it. */
function isOpen({ ledger, project }: SessionContext, { agent_session }: KeptSession): boolean | null {
  if (agent_session === null) return null;
  const agent = findSession({ ledger, project }, agent_session);
  return agent !== undefined && !isOver(agent);
}

const WORDS = { run: '`guardkit run`', hooks: 'inside Claude Code' } as const;

function describe(opened: SessionContext, kept: KeptSession, width: number): string[] {
  const { session } = kept;
  const { phase, feature, attempt, completed, blocked, last_result, end } = session;
  const at = feature === null ? '' : `, ${feature}, attempt ${attempt}`;
  const rows = [
    `${session.session} (${WORDS[session.driven_by]}): ${phase}${at}`,
    `  since ${session.since}`,
    ...(last_result === null ? [] : [`  last: ${last_result}`]),
    ...(completed.length === 0 ? [] : [`  done: ${completed.join(', ')}`]),
    ...blocked.map(
      (id) => `  blocked: ${id}: ${readFeature(opened.ledger, opened.project, id)?.blocked_reason ?? ''}`,
    ),
    phase === 'ended'
      ? `  ended: ${END_WORDS[end ?? 'nothing_runnable']}`
      : isOpen(opened, kept) === false
        ? '  next: its agent has exited; type /guardkit-run in Claude Code here to continue'
        : `  next: ${nextAction(session)}`,
  ];
  return rows.map((row) => row.slice(0, row.length - row.trimStart().length) + oneLine(row, width - 2));
}
