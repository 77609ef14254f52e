import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { agentMarks } from '../../../enforcement/actions/agents-at-work.ts';
import { type AgentSession, isOver, knownSessions } from '../../../enforcement/actions/sessions.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { beginSession } from '../../../orchestration/in-agent/begin-session.ts';
import { briefOrchestrator } from '../../../orchestration/in-agent/brief-orchestrator.ts';
import type { SessionContext } from '../../../orchestration/in-agent/session-context.ts';
import { noteDriven, readDetails } from '../../../orchestration/in-agent/session-details.ts';
import { WatchTables } from '../../../store/ledger/tables/watch-tables.ts';
import { optionalWholeNumber } from '../input/whole-number.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openSessionContext } from './open-session-context.ts';
import { sessionJson } from './status.ts';

/** The maximum size of a feature list. */
const MAX_FEATURES = 5000;

export const start = defineCommand({
  name: 'start',
  summary: 'Start a driven session, like /guardkit-run',
  options: [
    ['--agent-session <id>', 'Agent session, if several are open'],
    ['--max-features <n>', 'Stop after N features'],
    ['--brief <text>', 'Text or file to generate features from, if there are none'],
  ],
  changes: true,
  schema: z.object({
    agentSession: z.string().min(1).max(200).optional(),
    maxFeatures: optionalWholeNumber(MAX_FEATURES),
    brief: z.string().max(20_000).default(''),
    dryRun: z.boolean().default(false),
  }),
  run: runStart,
});

interface StartInput {
  agentSession?: string | undefined;
  maxFeatures?: number | undefined;
  brief: string;
  dryRun: boolean;
}

async function runStart(context: CliContext, input: StartInput): Promise<Report> {
  const opened = await openSessionContext(context);
  const agent = await chooseAgent(context, opened, input.agentSession);
  if (input.dryRun)
    return {
      json: { agent_session: agent.session, started: false, dry_run: true },
      text: `would drive ${agent.agent} session ${agent.session}`,
    };
  const begun = await beginSession(
    opened,
    {
      agentSession: agent.session,
      maxFeatures: input.maxFeatures ?? null,
      brief: input.brief,
      prefix: existsSync(join(opened.checkout, '.claude/agents/coding-agent.md')) ? '' : 'guardkit:',
    },
    { verifyWithin: null },
  );
  if (!begun.ok)
    throw new GuardKitError({
      code: 'session.refused',
      kind: 'refused',
      message: begun.why,
      hint: begun.hint,
    });
  noteDriven(opened, begun.kept, agent.agent);
  const byAgent = (await context.findAgent()) !== undefined;
  return {
    json: { ...sessionJson(opened, begun.kept), started: !begun.resumed },
    text: [
      briefOrchestrator(begun.kept.session, readDetails(begun.kept)),
      ...(byAgent ? [] : ['\nThe agent is told at its next step; type /guardkit-run in it if it is idle.']),
    ].join('\n'),
    notices: begun.notices,
  };
}

/** An agent may only start its own session; a person, the one that is open here. */
async function chooseAgent(
  context: CliContext,
  { ledger, project, checkout }: SessionContext,
  asked: string | undefined,
): Promise<AgentSession> {
  const here = knownSessions(new WatchTables(ledger)).filter(
    (one) =>
      one.project === project &&
      one.checkout === checkout &&
      agentMarks(one.agent) !== undefined &&
      !isOver(one),
  );
  const own = (await context.findAgent()) === undefined ? undefined : ownSession(context.env, here);
  const wanted = own ?? asked;
  const found = wanted === undefined ? here : here.filter(({ session }) => session === wanted);
  const [only] = found;
  if (only && found.length === 1) return only;
  const names = here.map(({ session }) => session).join(', ');
  throw new GuardKitError({
    code: 'session.no-agent',
    kind: 'input',
    message:
      wanted !== undefined
        ? `No agent session ${wanted.slice(0, 80)} is open in this checkout.`
        : here.length === 0
          ? 'The hooks have reported no open agent session in this checkout.'
          : `Several agent sessions are open here: ${names}. Choose one with --agent-session.`,
    hint: 'Install the hooks with `guardkit init --agent claude --session`, start Claude Code here and type /guardkit-run.',
  });
}

/** An agent that does not say which it is has none. */
function ownSession(env: NodeJS.ProcessEnv, here: readonly AgentSession[]): string {
  const found = here.find(({ agent, session }) => env[agentMarks(agent)?.session ?? ''] === session);
  return found?.session ?? 'of this agent';
}
