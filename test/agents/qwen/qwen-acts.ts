import type { ChatOutput, ChatScript } from '../../support/chat-server.ts';
import { chatOf } from '../opencode/opencode-acts.ts';
import type { Act, BuildScript } from '../scripted-build.ts';

/** A build's script over OpenAI's Chat Completions API, with the tools of Qwen Code, whose paths are absolute. */
export function qwenActs(script: BuildScript): ChatScript {
  return ({ body }) => [outputOf(script.next(chatOf(body)), folderIn(body))];
}

/** Qwen Code tells the model its folder. */
function folderIn(body: string): string {
  return /working in the directory: (\/[^\s`"\\]+)/.exec(body)?.[1] ?? '/nowhere';
}

export function outputOf(act: Act, folder: string): ChatOutput {
  if ('run' in act) return run(act.run);
  if ('read' in act) return { call: 'read_file', args: { file_path: `${folder}/${act.read}` } };
  if ('say' in act) return { text: act.say };
  if ('answer' in act) return { text: `My answer:\n${JSON.stringify(act.answer)}` };
  return { call: 'write_file', args: { file_path: `${folder}/${act.write}`, content: act.content } };
}

export const run = (command: string): ChatOutput => ({
  call: 'run_shell_command',
  args: { command, description: 'x', is_background: false },
});
