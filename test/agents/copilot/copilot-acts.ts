import type { ChatOutput, ChatScript } from '../../support/chat-server.ts';
import { chatOf } from '../opencode/opencode-acts.ts';
import type { Act, BuildScript } from '../scripted-build.ts';

/** A build's script over OpenAI's Chat Completions API, with the tools of Copilot CLI, whose paths are absolute. */
export function copilotActs(script: BuildScript): ChatScript {
  return ({ body }) => [outputOf(script.next(chatOf(body)), folderIn(body))];
}

/** Copilot CLI tells the model its folder. */
function folderIn(body: string): string {
  return /current working directory:? (\/[^\s`"\\]+)/i.exec(body)?.[1] ?? '/nowhere';
}

export function outputOf(act: Act, folder: string): ChatOutput {
  if ('run' in act) return run(act.run);
  if ('read' in act) return { call: 'view', args: { path: `${folder}/${act.read}` } };
  if ('say' in act) return { text: act.say };
  if ('answer' in act) return { text: `My answer:\n${JSON.stringify(act.answer)}` };
  return { call: 'create', args: { path: `${folder}/${act.write}`, file_text: act.content } };
}

export const run = (command: string): ChatOutput => ({ call: 'bash', args: { command, description: 'x' } });

/** For models that edit by patches. */
export const patch = (path: string): ChatOutput[] => [
  {
    call: 'apply_patch',
    args: { input: `*** Begin Patch\n*** Add File: ${path}\n+export {};\n*** End Patch\n` },
  },
];
