import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/json/json.ts';
import { isAnything, isShape, isText, isTextOf, orNothing } from '../../domain/json/plain-shape.ts';

/** The parts of hook payloads that Claude Code, Codex, Gemini CLI and Qwen Code have in common. */

export const maybeText = orNothing(isText);

/** A flag, also as a text: some agents convert "False", after their hooks. */
export function isOn(value: unknown): boolean {
  return isText(value) ? value.toLowerCase() !== 'false' : Boolean(value);
}

export const SESSION_FIELDS = {
  session_id: isTextOf(1, 200),
  cwd: isTextOf(1),
  hook_event_name: isTextOf(1, 100),
  agent_id: maybeText,
  agent_type: maybeText,
};

export const isToolCall = isShape({ tool_name: isTextOf(1), tool_input: isAnything });

export const isToolUse = isShape({
  tool_name: isTextOf(1),
  tool_input: isAnything,
  tool_use_id: isTextOf(1),
});

/** The id of a call of an agent that gives its calls none: before and after it, name and input are the same. */
export function contentId(tool: string, input: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([tool, input ?? null]))
    .digest('hex')
    .slice(0, 32);
}

const isBeginning = isShape({ source: isText });

/** A compaction continues the same session. */
export function beginsFresh(event: unknown): boolean {
  return !isBeginning(event) || event.source !== 'compact';
}
