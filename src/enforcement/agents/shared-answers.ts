import { isText } from '../../domain/json/plain-shape.ts';
import { readPatch } from '../../domain/patches/read-patch.ts';
import type { HookAnswer, ToolRequest } from '../hooks/hook-event.ts';

/** What the adapters of several agents have in common. */

const NO_REASON = 'GuardKit refused this without a reason. Ask the person to run guardkit doctor.';

/** Never empty: some agents let an action run that is refused without a reason. */
export function reasonOf({ reason }: HookAnswer): string {
  return reason?.trim() ? reason : NO_REASON;
}

/** No refusal, or one that the agent understands. */
export function isSoundDenial({ decision, reason }: Record<string, unknown>): boolean {
  return decision === undefined || (decision === 'deny' && isText(reason) && reason.trim() !== '');
}

/** Begins a prompt that GuardKit sends when a session stops too early, where agents take it for a person's. */
export const OWN_PROMPT = '[GuardKit] ';

/** The request of a tool that applies a patch; undefined text: its input is not a text. */
export function patchRequest(text: string | undefined): ToolRequest {
  if (text === undefined) return { kind: 'patch', files: [], unread: 'it is not a text' };
  const patch = readPatch(text);
  return patch.ok ? { kind: 'patch', files: patch.files } : { kind: 'patch', files: [], unread: patch.why };
}
