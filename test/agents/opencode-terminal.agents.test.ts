import { describe, expect, it } from 'vitest';
import { startChatServer } from '../support/chat-server.ts';
import { outputOf } from './opencode-acts.ts';
import { done, OPENCODE, OpencodeMachine } from './opencode-machine.ts';
import { HAS_TMUX, Terminal } from './terminal.ts';

const STOP_GUARD = `id: verified-first
summary: Nothing is done before its tests have passed.
kinds: [stop]
requires: tests
reason: The work is not verified.
guidance: Run guardkit verify first.
`;
const FORBIDDEN = '.opencode/command/x.md';
const LIMIT = { timeout: 200_000, interval: 500 };

describe.skipIf(OPENCODE === undefined || !HAS_TMUX)('a person’s session of OpenCode in a terminal', () => {
  it('refuses a forbidden edit, and is kept from stopping once', async () => {
    const machine = new OpencodeMachine();
    machine.sandbox.write('shop/.guardkit/guards/stop.yaml', STOP_GUARD);
    machine.sandbox.git('shop', 'add', '-A');
    machine.sandbox.commit('shop', 'Guard');
    await machine.wire();
    const replies = [
      [outputOf({ write: FORBIDDEN, content: 'x' })],
      [outputOf({ write: 'src/new.js', content: 'export {};\n' })],
      done,
      [{ text: 'It cannot be verified.' }],
    ];
    const bodies: string[] = [];
    const { url } = await startChatServer(({ body }) => {
      // OpenCode also asks for a title.
      if (!body.includes('"tools"')) return [{ text: 'A title' }];
      return replies[bodies.push(body) - 1] ?? done;
    });
    machine.settings(url);
    const env = { ...machine.env(), PWD: machine.project, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
    const terminal = new Terminal([String(OPENCODE)], { cwd: machine.project, env });
    await expect.poll(() => terminal.screen, LIMIT).toMatch(/Ask anything|ctrl\+p|commands/i);
    terminal.type('Go on');
    await expect.poll(() => terminal.screen, LIMIT).toContain('Go on');
    terminal.type('Enter');
    await expect.poll(() => bodies.length, LIMIT).toBe(4);
    expect(bodies[3]).toContain('The work is not verified.');
    expect([machine.exists(FORBIDDEN), machine.exists('src/new.js')]).toEqual([false, true]);
    expect(machine.refusals()).toEqual([
      ['opencode', 'write', 'protected-set'],
      ['opencode', 'stop', 'verified-first'],
    ]);
    await expect.poll(() => terminal.screen, LIMIT).toContain('It cannot be verified.');
  }, 600_000);
});
