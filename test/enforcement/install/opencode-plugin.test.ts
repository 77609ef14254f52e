import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pluginText } from '../../../src/enforcement/install/opencode-plugin.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Hook = (input: object, output: object) => Promise<void>;
interface Plugin {
  'tool.execute.before': Hook;
  'tool.execute.after': Hook;
  'chat.message': Hook;
  'experimental.chat.system.transform': Hook;
  'shell.env': Hook;
  event(input: { event: object }): Promise<void>;
  dispose(): Promise<void>;
}

/** Records its payload, then does this. */
const hook = (folder: string, text: string) => `cat >> '${folder}/sent'; echo >> '${folder}/sent'; ${text}`;

/** The plugin as OpenCode loads it, with hooks that give these answers. */
async function load(
  answers: { refusing?: string; stopping?: string; letting?: string; beginning?: string } = {},
  sessions: Record<string, object> = {},
) {
  const folder = temporaryFolder();
  const { refusing = 'true', stopping = 'true', letting = 'true', beginning = 'true' } = answers;
  const commands = {
    refusing: hook(folder, refusing),
    stopping: hook(folder, stopping),
    letting: hook(folder, letting),
    beginning: hook(folder, beginning),
  };
  const file = join(folder, 'guardkit.mjs');
  writeFileSync(file, pluginText({ commands, wrapperIn: undefined, env: { XDG_DATA_HOME: '' } }));
  const prompts: unknown[] = [];
  const client = {
    session: {
      get: async ({ path: { id } }: { path: { id: string } }) => ({ data: sessions[id] }),
      promptAsync: async (prompt: unknown) => prompts.push(prompt),
    },
  };
  const { GuardKit } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const plugin: Plugin = await GuardKit({ client, directory: folder });
  const sent = () => {
    if (!existsSync(join(folder, 'sent'))) return [];
    const lines = readFileSync(join(folder, 'sent'), 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { plugin, sent, prompts, folder };
}

const before = (plugin: Plugin, sessionID = 's', callID = 'c') =>
  plugin['tool.execute.before']({ tool: 'bash', sessionID, callID }, { args: { command: 'ls' } });
const message = { agent: 'build', model: { providerID: 'p', modelID: 'm' } };
const prompt = (plugin: Plugin, text: string, sessionID = 's') =>
  plugin['chat.message']({ sessionID }, { message, parts: [{ type: 'text', text }] });

describe('the plugin for OpenCode', () => {
  it('reports a session, its prompts and its calls with their ends', async () => {
    const { plugin, sent, folder } = await load();
    await prompt(plugin, 'Go');
    await before(plugin);
    await plugin['tool.execute.after']({ tool: 'bash', sessionID: 's', callID: 'c' }, { output: '' });
    await plugin.dispose();
    const call = { session: 's', tool: 'bash', call: 'c', args: { command: 'ls' } };
    expect(sent()).toEqual([
      { directory: folder, hook: 'session', session: 's' },
      { directory: folder, hook: 'prompt', session: 's', text: 'Go' },
      { directory: folder, hook: 'before', ...call },
      { directory: folder, hook: 'after', ...call },
      { directory: folder, hook: 'end', session: 's' },
    ]);
  });

  it('reports a failed call once, and nothing about a refused one', async () => {
    const failed = (callID: string) => ({
      type: 'message.part.updated',
      properties: { part: { type: 'tool', callID, state: { status: 'error', error: 'no such text' } } },
    });
    const { plugin, sent } = await load();
    await before(plugin);
    for (let count = 0; count < 2; count++) await plugin.event({ event: failed('c') });
    await plugin.event({ event: failed('other') });
    expect(sent().filter(({ hook }) => hook === 'after')).toMatchObject([
      { call: 'c', error: 'no such text' },
    ]);
  });

  it('reports the calls of a subagent under the session that started it', async () => {
    const { plugin, sent } = await load({}, { child: { parentID: 's', agent: 'general' } });
    await prompt(plugin, 'Go');
    await prompt(plugin, 'Help', 'child');
    await before(plugin, 'child');
    expect(sent().map(({ hook, session, child }) => [hook, session, child])).toEqual([
      ['session', 's', undefined],
      ['prompt', 's', undefined],
      ['subagent', 's', { id: 'child', agent: 'general' }],
      ['before', 's', { id: 'child', agent: 'general' }],
    ]);
  });

  it.each([
    ['a refusal', `echo '{"decision":"deny","reason":"Not this."}'`, 'Not this.'],
    ['exit code 2', 'echo Why >&2; exit 2', 'Why'],
    ['exit code 2 without a reason', 'exit 2', 'refused'],
    ['exit code 1', 'exit 1', 'refused'],
    ['a kill', 'kill -9 $$', 'refused'],
    ['broken JSON', 'echo "{"', 'broken answer'],
    ['a text', 'echo fine', 'broken answer'],
    ['a list', 'echo "[]"; exit 3', 'refused'],
    ['null', 'echo null', 'broken answer'],
    ['an unknown decision', `echo '{"decision":"block"}'`, 'broken answer'],
    ['a missing program', '/nowhere', 'not found'],
  ])('refuses the call after %s', async (_, refusing, reason) => {
    const { plugin } = await load({ refusing });
    await expect(before(plugin)).rejects.toThrow(reason);
  });

  it('never refuses a prompt, and does not fail after a call', async () => {
    const { plugin } = await load({ letting: 'exit 2', beginning: 'exit 2' });
    await prompt(plugin, 'Go');
    await before(plugin);
    await plugin['tool.execute.after']({ tool: 'bash', sessionID: 's', callID: 'c' }, { output: '' });
  });

  it('gives the model what GuardKit adds', async () => {
    const { plugin } = await load({
      beginning: `echo '{"context":"Rules."}'`,
      letting: `echo '{"context":"More."}'`,
    });
    await prompt(plugin, 'Go');
    const output = { system: ['You are an agent.'] };
    await plugin['experimental.chat.system.transform']({ sessionID: 's' }, output);
    expect(output.system).toEqual(['You are an agent.', 'Rules.', 'More.']);
    await before(plugin);
    const result = { output: 'listing' };
    await plugin['tool.execute.after']({ tool: 'bash', sessionID: 's', callID: 'c' }, result);
    expect(result.output).toBe('listing\nMore.');
  });

  it('continues a session that must not stop yet, once and with the same agent, but not one that the person interrupted', async () => {
    const { plugin, prompts, sent } = await load({
      stopping: `echo '{"decision":"deny","reason":"Verify."}'`,
    });
    const idle = { event: { type: 'session.idle', properties: { sessionID: 's' } } };
    await prompt(plugin, 'Go');
    const error = { name: 'MessageAbortedError' };
    await plugin.event({ event: { type: 'session.error', properties: { sessionID: 's', error } } });
    await plugin.event(idle);
    expect(prompts).toEqual([]);
    await plugin.event(idle);
    const body = { ...message, parts: [{ type: 'text', text: '[GuardKit] Verify.' }] };
    expect(prompts).toEqual([{ path: { id: 's' }, body }]);
    await plugin.event(idle);
    expect(prompts).toHaveLength(1);
    expect(sent().flatMap(({ hook, again }) => (hook === 'stop' ? [again] : []))).toEqual([false, true]);
  });

  it('gives commands the person’s own folders, and hooks no mark of a command', async () => {
    process.env.OPENCODE = '1';
    try {
      const { plugin, folder } = await load({ refusing: 'echo "<$OPENCODE>" > mark' });
      const output = { env: {} };
      await plugin['shell.env']({ cwd: folder }, output);
      expect(output.env).toEqual({ XDG_DATA_HOME: '' });
      await before(plugin);
      expect(readFileSync(join(folder, 'mark'), 'utf8')).toBe('<>\n');
    } finally {
      delete process.env.OPENCODE;
    }
  });
});
