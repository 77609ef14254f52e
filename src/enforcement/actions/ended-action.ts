import type { TimeSpan } from '../effective/change-time.ts';
import type { AgentAction } from './open-actions.ts';

/** An action that has just ended, and when it really ran: not while a person was asked about it. */
export interface EndedAction {
  action: AgentAction;
  span: TimeSpan;
}
