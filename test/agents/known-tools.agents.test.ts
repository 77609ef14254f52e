import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CLAUDE, ClaudeMachine, done as claudeDone } from './claude/claude-machine.ts';
import { GEMINI, GeminiMachine, done as geminiDone } from './gemini/gemini-machine.ts';
import { OPENCODE, OpencodeMachine, done as opencodeDone } from './opencode/opencode-machine.ts';
import { QWEN_PROGRAM, QwenMachine, done as qwenDone } from './qwen/qwen-machine.ts';

const chatTools = z.looseObject({
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })),
});
const geminiTools = z.looseObject({
  tools: z.array(
    z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]) }),
  ),
});

const chatNames = (body = '{}') =>
  chatTools
    .parse(JSON.parse(body))
    .tools.map((tool) => tool.function.name)
    .sort();

/** Claude Code and Qwen Code let the model search for further tools, which are named in the same request. */
const TYPING = /write_stdin|write_bash|write_shell|send_?keys|send_?input/i;

/** None of these types into a program that runs, which hooks would not see. Look at a new one before you add it here. */
const KNOWN = {
  claude: [
    ...['Agent', 'Bash', 'DeferredToolPlaceholder', 'Edit', 'ListAgents', 'Read'],
    ...['ReportFindings', 'ScheduleWakeup', 'Skill', 'ToolSearch', 'Workflow', 'Write'],
  ],
  gemini: [
    ...['activate_skill', 'enter_plan_mode', 'glob', 'google_web_search', 'grep_search', 'invoke_agent'],
    ...[
      'list_background_processes',
      'list_directory',
      'read_background_output',
      'read_file',
      'replace',
      'run_shell_command',
    ],
    ...['update_topic', 'web_fetch', 'write_file', 'write_todos'],
  ],
  opencode: [
    ...['bash', 'edit', 'glob', 'grep', 'read', 'skill'],
    ...['task', 'todowrite', 'webfetch', 'write'],
  ],
  qwen: [
    ...['agent', 'edit', 'get_goal', 'glob', 'grep_search', 'list_agents'],
    ...['notebook_edit', 'read_file', 'run_shell_command', 'skill', 'tool_call', 'tool_search'],
    ...['update_goal', 'write_file'],
  ],
};

describe('only tools that cannot type into a running program are offered to the model by', () => {
  it.skipIf(!CLAUDE)('Claude Code', async () => {
    const machine = new ClaudeMachine();
    const { server } = await machine.run([claudeDone]);
    const request = server.requests.find(({ tools }) => tools.length > 0);
    const offered = request?.tools ?? [];
    expect(JSON.stringify(request)).not.toMatch(TYPING);
    expect(offered.map(({ name }) => name).sort()).toEqual(KNOWN.claude);
  });

  it.skipIf(GEMINI === undefined)('Gemini CLI', async () => {
    const machine = new GeminiMachine();
    machine.trust();
    const { server } = await machine.run([geminiDone]);
    const { tools } = geminiTools.parse(JSON.parse(server.requests[0]?.body ?? '{}'));
    const names = tools.flatMap((tool) => tool.functionDeclarations.map(({ name }) => name));
    expect(names.sort()).toEqual(KNOWN.gemini);
  });

  it.skipIf(OPENCODE === undefined)('OpenCode', async () => {
    const { server } = await new OpencodeMachine().run([opencodeDone]);
    const body = server.requests.find((request) => request.body.includes('"tools"'))?.body;
    expect(chatNames(body)).toEqual(KNOWN.opencode);
  });

  it.skipIf(QWEN_PROGRAM === undefined)('Qwen Code', async () => {
    const { server } = await new QwenMachine().run([qwenDone]);
    expect(server.requests[0]?.body).not.toMatch(TYPING);
    expect(chatNames(server.requests[0]?.body)).toEqual(KNOWN.qwen);
  });
});
