import { isObject, isText } from '../../domain/json/plain-shape.ts';
import type { HookAnswer, HookEvent } from '../hooks/hook-event.ts';
import { actedName, reasonOf } from './shared-answers.ts';

/** Answers in the form of Claude Code's hooks, as far as Codex and Qwen Code understand it. */

/** The answer as the JSON that a hook prints. A question becomes a refusal. */
export function writeToolUseAnswer(event: HookEvent, answer: HookAnswer): Record<string, unknown> {
  const { decision, context, notice } = answer;
  // Without a reason, the action would run.
  const reason = reasonOf(answer);
  const shared = notice === undefined ? {} : { systemMessage: notice };
  const hookEventName = event.type === 'acted' ? actedName(event) : TAKES_CONTEXT[event.type];
  const added = context === undefined || hookEventName === undefined ? {} : { additionalContext: context };
  switch (event.type) {
    case 'acting': {
      const refused =
        decision === 'go' ? {} : { permissionDecision: 'deny', permissionDecisionReason: reason };
      return withOutput(shared, { ...refused, ...added }, hookEventName);
    }
    case 'acted':
    case 'stopping':
      return withOutput(
        { ...shared, ...(decision === 'go' ? {} : { decision: 'block', reason }) },
        added,
        hookEventName,
      );
    default:
      return withOutput(shared, added, hookEventName);
  }
}

function withOutput(
  shared: Record<string, unknown>,
  output: Record<string, unknown>,
  hookEventName: string | undefined,
): Record<string, unknown> {
  return Object.keys(output).length === 0
    ? shared
    : { ...shared, hookSpecificOutput: { hookEventName, ...output } };
}

/** Events whose answer can add context for the model. */
const TAKES_CONTEXT: Partial<Record<HookEvent['type'], string>> = {
  acting: 'PreToolUse',
  'session-began': 'SessionStart',
  'subagent-began': 'SubagentStart',
  prompted: 'UserPromptSubmit',
};

const FIELDS: readonly string[] = ['systemMessage', 'decision', 'reason', 'hookSpecificOutput'];
const OUTPUT_FIELDS: readonly string[] = [
  'hookEventName',
  'permissionDecision',
  'permissionDecisionReason',
  'additionalContext',
];

/** Whether the agent accepts an answer: one unknown field, and Codex ignores the whole answer and lets the action run. */
export function isToolUseAnswer(answer: Record<string, unknown>): boolean {
  const { hookSpecificOutput: output, ...texts } = answer;
  return (
    Object.keys(answer).every((name) => FIELDS.includes(name)) &&
    Object.values(texts).every(isText) &&
    (answer.decision === undefined || (answer.decision === 'block' && isFilled(answer.reason))) &&
    (output === undefined || isOutput(output))
  );
}

function isOutput(output: unknown): boolean {
  if (!isObject(output)) return false;
  const { permissionDecision: decision, permissionDecisionReason: reason } = output;
  return (
    Object.keys(output).every((name) => OUTPUT_FIELDS.includes(name)) &&
    Object.values(output).every(isText) &&
    (decision === undefined || (decision === 'deny' && isFilled(reason)))
  );
}

function isFilled(value: unknown): boolean {
  return isText(value) && value.trim() !== '';
}
