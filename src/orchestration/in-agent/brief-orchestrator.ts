import type { Feature } from '../../domain/entities/feature.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import { agentOf, nextAction } from '../session/project-session.ts';
import { MAX_ATTEMPTS, type Session } from '../session/session.ts';
import type { Details } from './session-details.ts';

/** The orchestrating agent's role in a driven session. */
const ROLE = [
  'You orchestrate this session: delegate; do not implement or test yourself.',
  '- Do only what `next` says. Give the agent the feature id; GuardKit gives it the criteria and earlier failures.',
  '- Wait for the agent. If it works in the background, end your answer: you are called when it has finished.',
  '- An agent’s claim moves the session on but proves nothing: GuardKit verifies and sets `tested`.',
  '- Do not ask the person anything. When the session has ended, tell them what is done, what is blocked and which questions are open.',
].join('\n');

const MAX_RESULT = 1200;

/** The session's state, the next step and the role, for the orchestrating agent. */
export function briefOrchestrator(session: Session, details: Details): string {
  return [stateLines(session, details), ROLE].join('\n\n');
}

/** The same without the role. */
export function stateLines(session: Session, details: Details): string {
  const { phase, feature, attempt, last_result } = session;
  const tries = feature === null ? '' : `, ${feature}, attempt ${attempt} of ${MAX_ATTEMPTS}`;
  return [
    `GuardKit session ${session.session}: ${phase}${tries}`,
    ...(last_result === null ? [] : [`last result: ${oneLine(last_result, MAX_RESULT)}`]),
    `next: ${nextStep(session, details)}`,
  ].join('\n');
}

/** The next step, with the name of the agent to start. */
export function nextStep(session: Session, { at_work, prefix, brief }: Details): string {
  const agent = agentOf(session.phase);
  if (agent && at_work) return `Wait for the ${at_work.agent} agent, which is running: end your answer.`;
  const name = `${prefix}${agent}-agent`;
  const { feature, attempt } = session;
  switch (session.phase) {
    case 'initializing':
      return `Start \`${name}\`${brief === '' ? '' : ' with the person’s brief'}. It writes the feature list.`;
    case 'coding':
      return `Start \`${name}\` for ${feature}${attempt > 1 ? ' to fix what failed' : ''}.`;
    case 'testing':
      return `Start \`${name}\` for ${feature}.`;
    case 'verifying':
    case 'verifying_all':
      return `${nextAction(session)} End your answer.`;
    default:
      return nextAction(session);
  }
}

const MAX_NAMED = 50;

/** The summary of an ended session. */
export function describeSessionEnd(session: Session, features: readonly Feature[], why: string): string {
  const { completed, blocked, reopened, left, left_count } = session;
  const byId = new Map(features.map((one) => [one.id, one]));
  const named = (ids: readonly string[]) => (ids.length === 0 ? 'none' : ids.slice(0, MAX_NAMED).join(', '));
  return [
    `GuardKit session ${session.session} has ended: ${why}`,
    `done and verified by GuardKit: ${named(completed)}`,
    ...(reopened.length > 0 ? [`reopened by the final verification: ${named(reopened)}`] : []),
    ...(blocked.length > 0
      ? [
          'blocked, each with its open question:',
          ...blocked
            .slice(0, MAX_NAMED)
            .map((id) => `- ${id}: ${oneLine(byId.get(id)?.blocked_reason ?? 'it was blocked', 600)}`),
        ]
      : []),
    ...(left_count > 0
      ? [
          `left: ${left_count}`,
          ...left.slice(0, 20).map(({ feature, why: reason }) => `- ${feature}: ${reason}`),
        ]
      : []),
  ].join('\n');
}
