import type { AllowedAction, StreamCall } from './cli-agent.ts';

/**
 * Matches the calls in an agent's event stream with the actions that its hooks reported. A call without an allowed action
 * ran without a hook: the hooks are missing, not trusted or switched off.
 */
export class CallMatcher {
  readonly #allowed: AllowedAction[] = [];
  readonly #matched = new Set<string>();

  allow(action: AllowedAction): void {
    this.#allowed.push(action);
  }

  /** Whether a hook allowed the call. Each action vouches for one call. */
  match(call: StreamCall): boolean {
    if (this.#matched.has(call.id)) return true;
    const at = this.#allowed.findIndex((action) => call.isOf(action));
    if (at < 0) return false;
    this.#allowed.splice(at, 1);
    this.#matched.add(call.id);
    return true;
  }
}
