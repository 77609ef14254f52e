import * as z from 'zod';
import type { ModelOutput, ModelReply, ResponsesScript } from '../../support/responses-server.ts';
import type { Act, BuildScript, Heard } from '../scripted-build.ts';
import { patch, shell } from './codex-machine.ts';

const itemSchema = z.looseObject({
  type: z.string(),
  role: z.string().optional(),
  content: z.array(z.looseObject({ text: z.string().optional() })).optional(),
});
const bodySchema = z.looseObject({ input: z.array(itemSchema) });

/** A build's script over OpenAI's Responses API, with the tools of Codex. */
export function responsesActs(script: BuildScript): ResponsesScript {
  return ({ body }): ModelReply => [outputOf(script.next(conversationOf(body)))];
}

function conversationOf(body: string): Heard[] {
  const { input } = bodySchema.parse(JSON.parse(body));
  return input.flatMap(({ type, role, content = [] }) => {
    const text = content.map((part) => part.text ?? '').join('\n');
    if (type === 'message')
      return role === 'assistant' || role === 'user' ? [{ text, byModel: role === 'assistant' }] : [];
    return type.endsWith('_call') ? [{ text, byModel: true }] : [];
  });
}

function outputOf(act: Act): ModelOutput {
  if ('run' in act) return shell(act.run);
  if ('read' in act) return shell(`cat ${act.read}`);
  if ('say' in act) return { text: act.say };
  if ('answer' in act) return { text: `My answer:\n${JSON.stringify(act.answer)}` };
  const lines = act.content.replace(/\n$/, '').split('\n');
  return patch(`*** Add File: ${act.write}`, ...lines.map((line) => `+${line}`));
}
