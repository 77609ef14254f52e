import type { Feature } from '../../domain/entities/feature.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import { agentOf, nextAction } from '../session/project-session.ts';
import { MAX_ATTEMPTS, type Session } from '../session/session.ts';
import type { Details } from './session-details.ts';

/** What the agent that talks to the person is there for, while a session is driven. */
const ROLE = [
  'You orchestrate this session: you delegate, and neither implement nor test yourself.',
  '- Do what stands under `next`, and nothing else. The agent is given the feature, its criteria and what failed before; hand it the id.',
  '- Wait for it. If it works in the background, end your answer: you are called when it has ended.',
  '- What an agent says moves the session on and proves nothing: GuardKit itself verifies, and sets `tested`.',
  '- Ask the person nothing. When the session has ended, tell them what is done, what is blocked and the question that would help.',
].join('\n');

const MAX_RESULT = 1200;

/** Where the session stands and what is next, for the agent that talks to the person. */
export function tellOrchestrator(session: Session, details: Details): string {
  return [stateLines(session, details), ROLE].join('\n\n');
}

/** The same without what it was told before. */
export function stateLines(session: Session, details: Details): string {
  const { phase, feature, attempt, last_result } = session;
  const tries = feature === null ? '' : `, ${feature}, attempt ${attempt} of ${MAX_ATTEMPTS}`;
  return [
    `GuardKit session ${session.session}: ${phase}${tries}`,
    ...(last_result === null ? [] : [`last result: ${oneLine(last_result, MAX_RESULT)}`]),
    `next: ${nextStep(session, details)}`,
  ].join('\n');
}

/** What is to be done now, by the name that the agent is started by. */
export function nextStep(session: Session, { at_work, prefix, brief }: Details): string {
  const agent = agentOf(session.phase);
  if (agent && at_work) return `Wait for the ${at_work.agent} agent, which is at work: end your answer.`;
  const name = `${prefix}${agent}-agent`;
  const { feature, attempt } = session;
  switch (session.phase) {
    case 'initializing':
      return `Start \`${name}\`${brief === '' ? '' : ' with what the person wants'}. It writes the feature list.`;
    case 'coding':
      return `Start \`${name}\` for ${feature}${attempt > 1 ? ', which is to mend what failed' : ''}.`;
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

/** How a session ended, for whoever reads it last. */
export function tellEnd(session: Session, features: readonly Feature[], why: string): string {
  const { completed, blocked, reopened, left, left_count } = session;
  const byId = new Map(features.map((one) => [one.id, one]));
  const named = (ids: readonly string[]) => (ids.length === 0 ? 'none' : ids.slice(0, MAX_NAMED).join(', '));
  return [
    `GuardKit session ${session.session} has ended: ${why}`,
    `done, each verified by GuardKit: ${named(completed)}`,
    ...(reopened.length > 0 ? [`reopened by the last verification: ${named(reopened)}`] : []),
    ...(blocked.length > 0
      ? [
          'blocked, each with the question whose answer would help:',
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
