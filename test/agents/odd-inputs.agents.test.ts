import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODEX, CodexMachine, done as codexDone, patch, shell } from './codex/codex-machine.ts';
import { COPILOT_PROGRAM, CopilotMachine, done as copilotDone } from './copilot/copilot-machine.ts';
import { GEMINI, GeminiMachine, done as geminiDone } from './gemini/gemini-machine.ts';
import { QWEN_PROGRAM, QwenMachine, done as qwenDone } from './qwen/qwen-machine.ts';

type Call = [tool: string, args: Record<string, unknown>];

const script = (calls: readonly Call[]) => calls.map(([call, args]) => [{ call, args }]);
const guards = (refusals: (string | undefined)[][]) => refusals.map(([, , guard]) => guard);

/** Calls that mean something else to the agent than they seem to. All of them would work without GuardKit. */
describe('calls with odd inputs', () => {
  it.skipIf(COPILOT_PROGRAM === undefined)(
    'Copilot CLI is refused commands with fields of other tools',
    async () => {
      const machine = new CopilotMachine();
      await machine.wire();
      machine.trust();
      const command = 'mkdir -p .github/hooks; echo x > .github/hooks/x.json';
      const other = { path: machine.at('ok.txt'), file_text: 'x' };
      const calls: Call[] = [
        ['bash', { command, description: 'x', ...other }],
        ['bash', { command, description: 'x', shellId: 'a', input: 'ls' }],
        ['bash', { command, description: 'x', ...other, old_str: 'x', new_str: 'y', insert_line: 1 }],
      ];
      await machine.run([...script(calls), copilotDone]);
      expect(machine.exists('.github/hooks/x.json')).toBe(false);
      expect(guards(machine.refusals())).toEqual(calls.map(() => 'protected-set'));
    },
  );

  it.skipIf(QWEN_PROGRAM === undefined)(
    'Qwen Code is refused commands with flags as texts, and in other folders',
    async () => {
      const machine = new QwenMachine();
      await machine.wire();
      const calls: Call[] = [
        ['run_shell_command', { command: 'echo x > .qwen/x', is_background: 'false' }],
        [
          'run_shell_command',
          { command: 'echo x > x', is_background: false, directory: machine.at('.qwen'), dir_path: '/tmp' },
        ],
        ['write_file', { file_path: `  ${machine.at('.qwen/x')} `, content: 5 }],
        ['tool_call', { name: 'monitor', arguments: JSON.stringify({ command: 'echo x > .qwen/x' }) }],
      ];
      await machine.run([...script(calls), qwenDone]);
      expect(machine.exists('.qwen/x')).toBe(false);
      expect(guards(machine.refusals())).toEqual(calls.map(() => 'protected-set'));
    },
  );

  it.skipIf(GEMINI === undefined)('Gemini CLI is refused paths that it changes', async () => {
    const machine = new GeminiMachine();
    machine.sandbox.write('shop/.gemini/commands/only-here.toml', 'prompt = "a"\n');
    await machine.wire();
    machine.trust();
    const write = (file_path: string): Call => ['write_file', { file_path, content: 'x' }];
    const calls: Call[] = [
      write('.%67emini/x'),
      write('@.gemini/x'),
      write('.gem\0ini/x'),
      write('~/../.gemini/x'),
      write('file:///../.gemini/x'),
      ['run_shell_command', { command: 'echo x > .gemini/x', description: 'x', directory: '/tmp' }],
      ['replace', { file_path: 'only-here.toml', instruction: 'x', old_string: 'a', new_string: 'b' }],
    ];
    await machine.run([...script(calls), geminiDone]);
    expect(machine.exists('.gemini/x')).toBe(false);
    expect(readFileSync(join(machine.project, '.gemini/commands/only-here.toml'), 'utf8')).toBe(
      'prompt = "a"\n',
    );
    expect(guards(machine.refusals())).toEqual([
      ...calls.slice(1).map(() => 'protected-set'),
      'unseen-effects',
    ]);
  });

  it.skipIf(CODEX === undefined)('Codex is refused paths that it changes', async () => {
    const machine = new CodexMachine();
    await machine.wire();
    machine.trust();
    await machine.run([
      [patch('*** Add File: ~/../.codex/x', '+x')],
      [shell('echo x > x', { workdir: '.codex' })],
      codexDone,
    ]);
    expect(machine.exists('.codex/x')).toBe(false);
    expect(guards(machine.refusals())).toEqual(['protected-set', 'protected-set']);
  });
});
