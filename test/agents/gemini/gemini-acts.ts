import * as z from 'zod';
import type { GeminiOutput, GeminiScript } from '../../support/gemini-server.ts';
import type { Act, BuildScript, Heard } from '../scripted-build.ts';

const bodySchema = z.looseObject({
  contents: z.array(
    z.looseObject({ role: z.string(), parts: z.array(z.looseObject({ text: z.string().optional() })) }),
  ),
});

/** A build's script over Google's API, with the tools of Gemini CLI. */
export function geminiActs(script: BuildScript): GeminiScript {
  return ({ body }) => [outputOf(script.next(conversationOf(body)))];
}

function conversationOf(body: string): Heard[] {
  return bodySchema.parse(JSON.parse(body)).contents.map(({ role, parts }) => ({
    text: parts.map(({ text = '' }) => text).join('\n'),
    byModel: role === 'model',
  }));
}

export function outputOf(act: Act): GeminiOutput {
  if ('run' in act) return run(act.run);
  if ('read' in act) return { call: 'read_file', args: { file_path: act.read } };
  if ('say' in act) return { text: act.say };
  if ('answer' in act) return { text: `My answer:\n${JSON.stringify(act.answer)}` };
  return { call: 'write_file', args: { file_path: act.write, content: act.content } };
}

export const run = (command: string): GeminiOutput => ({
  call: 'run_shell_command',
  args: { command, description: 'x' },
});
