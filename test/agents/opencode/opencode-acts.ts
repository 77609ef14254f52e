import * as z from 'zod';
import type { ChatOutput, ChatScript } from '../../support/chat-server.ts';
import type { Act, BuildScript, Heard } from '../scripted-build.ts';

const textSchema = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().optional() }))
    .transform((parts) => parts.map(({ text = '' }) => text).join('\n')),
]);
const bodySchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: textSchema.nullish() })),
});

/** A build's script over OpenAI's Chat Completions API, with the tools of OpenCode. */
export function opencodeActs(script: BuildScript): ChatScript {
  return ({ body }) => [outputOf(script.next(chatOf(body)))];
}

/** The conversation in a request to the Chat Completions API. */
export function chatOf(body: string): Heard[] {
  return bodySchema
    .parse(JSON.parse(body))
    .messages.flatMap(({ role, content }) =>
      role === 'user' || role === 'assistant' ? [{ text: content ?? '', byModel: role === 'assistant' }] : [],
    );
}

export function outputOf(act: Act): ChatOutput {
  if ('run' in act) return run(act.run);
  if ('read' in act) return { call: 'read', args: { filePath: act.read } };
  if ('say' in act) return { text: act.say };
  if ('answer' in act) return { text: `My answer:\n${JSON.stringify(act.answer)}` };
  return { call: 'write', args: { filePath: act.write, content: act.content } };
}

export const run = (command: string): ChatOutput => ({ call: 'bash', args: { command, description: 'x' } });
