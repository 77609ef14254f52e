import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODEX, CodexMachine, done as codexDone } from './codex/codex-machine.ts';
import { COPILOT_PROGRAM, CopilotMachine, done as copilotDone } from './copilot/copilot-machine.ts';
import { GEMINI, GeminiMachine, done as geminiDone } from './gemini/gemini-machine.ts';
import { OPENCODE, OpencodeMachine, done as opencodeDone } from './opencode/opencode-machine.ts';
import { QWEN_PROGRAM, QwenMachine, done as qwenDone } from './qwen/qwen-machine.ts';

/** Only GuardKit's tool answers this. */
const ANSWER = 'There are no features yet.';
/** Only GuardKit's skill contains this. */
const SKILL = 'incremental-coding';
const COMMAND = 'Work on the task with GuardKit';

const OWN = 'hide_agent_reasoning = true\n';

const uninstall = ['uninstall'];
const byPerson = { in: 'shop', person: true, input: 'y\n' };

describe('init --mcp and --session give GuardKit’s tools, skills and commands to', () => {
  it.skipIf(CODEX === undefined)('Codex, and uninstall removes them', async () => {
    const machine = new CodexMachine();
    machine.sandbox.write('shop/.codex/config.toml', OWN);
    await machine.wire('--mcp', '--session');
    machine.trust();
    // Codex does not wait for the server.
    const code = `try { text(JSON.stringify(await tools.mcp__guardkit__next_action({}))) }
      catch { await tools.exec_command({ cmd: 'sleep 1' }) }`;
    const { server } = await machine.run(
      ({ body }) => (body.includes(ANSWER) ? codexDone : [{ custom: 'exec', input: code }]),
      { model: 'gpt-6-sol', prompt: 'Use $task-work for TASK-1' },
    );
    expect(server.requests[0]?.body).toContain(SKILL);
    expect(server.requests[0]?.body).toContain(COMMAND);
    expect(server.requests.at(-1)?.body).toContain(ANSWER);
    await machine.sandbox.guardkit(uninstall, byPerson);
    expect(machine.read('.codex/config.toml')).toBe(OWN);
    expect(machine.exists('.codex/skills')).toBe(false);
  });

  it.skipIf(GEMINI === undefined)('Gemini CLI, and uninstall removes them', async () => {
    const machine = new GeminiMachine();
    await machine.wire('--mcp', '--session');
    machine.trust();
    const script = [[{ call: 'mcp_guardkit_next_action', args: {} }], geminiDone];
    // Without a terminal, Gemini CLI puts the context of hooks before the prompt, and so finds no command in it.
    const { server } = await machine.run(script);
    expect(server.requests[0]?.body).toContain(SKILL);
    expect(server.requests[1]?.body).toContain(ANSWER);
    await machine.sandbox.guardkit(uninstall, byPerson);
    expect(machine.exists('.gemini/settings.json')).toBe(false);
    expect(machine.exists('.gemini/commands')).toBe(false);
  });

  it.skipIf(OPENCODE === undefined)('OpenCode, and uninstall removes them', async () => {
    const machine = new OpencodeMachine();
    await machine.wire('--mcp', '--session');
    const script = [[{ call: 'guardkit_next_action', args: {} }], opencodeDone];
    const { server } = await machine.run(script, { args: ['--command', 'task-work'] });
    expect(server.requests[0]?.body).toContain(SKILL);
    expect(server.requests[0]?.body).toContain(COMMAND);
    expect(server.requests[1]?.body).toContain(ANSWER);
    await machine.sandbox.guardkit(uninstall, byPerson);
    // OpenCode itself has added its schema.
    expect(machine.read('.opencode/opencode.json')).not.toContain('guardkit');
    expect(machine.exists('.opencode/command')).toBe(false);
  });

  it.skipIf(COPILOT_PROGRAM === undefined)('Copilot CLI, and uninstall removes them', async () => {
    const machine = new CopilotMachine();
    await machine.wire('--mcp', '--session');
    machine.trust();
    const { server } = await machine.run([
      [{ call: 'skill', args: { skill: 'task-work' } }],
      [{ call: 'guardkit-next_action', args: {} }],
      copilotDone,
    ]);
    expect(server.requests[0]?.body).toContain(SKILL);
    expect(server.requests[1]?.body).toContain(COMMAND);
    expect(server.requests[2]?.body).toContain(ANSWER);
    await machine.sandbox.guardkit(uninstall, byPerson);
    expect(machine.exists('.github/mcp.json')).toBe(false);
    expect(machine.exists('.github/skills')).toBe(false);
  });

  it.skipIf(QWEN_PROGRAM === undefined)('Qwen Code, and uninstall removes them', async () => {
    const machine = new QwenMachine();
    await machine.wire('--mcp', '--session');
    const script = [[{ call: 'mcp__guardkit__next_action', args: {} }], qwenDone];
    const { server } = await machine.run(script, '/task-work TASK-1');
    expect(server.requests[0]?.body).toContain(SKILL);
    expect(server.requests[0]?.body).toContain('guardkit task-work TASK-1');
    expect(server.requests[1]?.body).toContain(ANSWER);
    await machine.sandbox.guardkit(uninstall, byPerson);
    // Qwen Code itself has added its version.
    expect(readFileSync(machine.at('.qwen/settings.json'), 'utf8')).not.toContain('guardkit');
    expect(machine.exists('.qwen/commands')).toBe(false);
  });
});
