import type { ReportedAction, StreamCall } from './cli-agent.ts';

/**
 * Matches the calls in an agent's event stream with the actions that its hooks reported. A call without an allowed action
 * ran without a hook: the hooks are missing, not trusted or switched off.
 */
export class CallMatcher {
  readonly #allowed: ReportedAction[] = [];
  readonly #refused: ReportedAction[] = [];
  readonly #matched = new Set<string>();

  allow(action: ReportedAction): void {
    this.#allowed.push(action);
  }

  refuse(action: ReportedAction): void {
    this.#refused.push(action);
  }

  /** Whether a hook allowed the call, or refused it before it failed. Each action vouches for one call. */
  match(call: StreamCall): boolean {
    if (this.#matched.has(call.id)) return true;
    for (const actions of [this.#allowed, ...(call.failed ? [this.#refused] : [])]) {
      const at = actions.findIndex((action) => call.isOf(action));
      if (at < 0) continue;
      actions.splice(at, 1);
      this.#matched.add(call.id);
      return true;
    }
    return false;
  }
}
