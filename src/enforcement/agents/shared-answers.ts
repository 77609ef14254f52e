import { isObject, isText, own } from '../../domain/json/plain-shape.ts';
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

/** The event after a tool was used. Claude Code ignores an answer that names another event than the one that was asked. */
export function actedName({ failure }: { failure?: string }): string {
  return failure === undefined ? 'PostToolUse' : 'PostToolUseFailure';
}

/** Begins a prompt that GuardKit sends when a session stops too early, where agents take it for a person's. */
export const OWN_PROMPT = '[GuardKit] ';

/** The request of a tool that applies a patch; undefined text: its input is not a text. */
export function patchRequest(text: string | undefined): ToolRequest {
  if (text === undefined) return { kind: 'patch', files: [], unread: 'it is not text' };
  const patch = readPatch(text);
  return patch.ok ? { kind: 'patch', files: patch.files } : { kind: 'patch', files: [], unread: patch.why };
}

/** The request of a tool that acts, with input in another form than its own. The agent may still carry it out. */
export function unreadTool(
  name: string,
  input: unknown,
  unread = 'GuardKit does not know its format',
): ToolRequest {
  return { kind: 'tool', name, input, unread };
}

/** An edit whose result is not known is judged by its path, and refused without one. */
export function unclearEdit(name: string, input: unknown, field: string): ToolRequest {
  const path = isObject(input) ? own(input, field) : undefined;
  return isText(path) ? { kind: 'change', paths: [path] } : unreadTool(name, input);
}
