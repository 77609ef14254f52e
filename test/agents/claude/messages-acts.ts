import { join } from 'node:path';
import type { Block, Script } from '../../support/messages-server.ts';
import type { Act, BuildScript, Heard } from '../scripted-build.ts';

/** A build's script over Anthropic's Messages API, with the tools of Claude Code. */
export function messagesActs(script: BuildScript, folder: () => string): Script {
  return ({ messages }) => {
    const conversation: Heard[] = messages.map(({ role, content }) => ({
      text:
        typeof content === 'string'
          ? content
          : content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n'),
      byModel: role === 'assistant',
    }));
    return { content: [blockOf(script.next(conversation), folder())] };
  };
}

function blockOf(act: Act, folder: string): Block {
  const use = (name: string, input: Record<string, unknown>): Block => ({ type: 'tool_use', name, input });
  if ('run' in act) return use('Bash', { command: act.run });
  if ('read' in act) return use('Glob', { pattern: act.read });
  if ('say' in act) return { type: 'text', text: act.say };
  if ('answer' in act) return use('StructuredOutput', act.answer);
  return use('Write', { file_path: join(folder, act.write), content: act.content });
}
