import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeProgram, use } from '../orchestration/drivers/driver-benches.ts';
import { Sandbox } from '../support/cli.ts';
import { LIST_PATH, listText } from '../support/hooked-project.ts';
import { type Reply, startMessagesServer } from '../support/messages-server.ts';

const PROGRAM = claudeProgram();
const WITHOUT_PROGRAM = PROGRAM ? '' : ' (the Claude Agent SDK has no program for this system here)';
const TESTED = listText([{ id: 'FEAT-1', tested: true }]);
const SESSION_MS = 90_000;
const DONE: Reply = { content: [{ type: 'text', text: 'All done.' }] };

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

/** Starts the real program in a folder; its model writes a false list. Returns the requests to the model. */
async function cheatIn(folder: string, checkout: string): Promise<string> {
  const list = sandbox.path(checkout, LIST_PATH);
  const script = [use('Write', { file_path: list, content: TESTED }), DONE];
  const server = await startMessagesServer(({ messages }) => {
    const answered = messages.filter(({ role }) => role === 'assistant').length;
    return script[Math.min(answered, 1)] ?? DONE;
  });
  await new Promise<void>((resolve) => {
    const child = execFile(
      String(PROGRAM),
      [
        '-p',
        'Go on',
        '--allowedTools',
        'Write',
        '--permission-mode',
        'acceptEdits',
        '--add-dir',
        sandbox.folder,
      ],
      { cwd: sandbox.path(folder), env: { ...server.env(sandbox.path('home')), PATH: process.env.PATH } },
      () => resolve(),
    );
    child.stdin?.end();
  });
  expect(existsSync(list)).toBe(false);
  return JSON.stringify(server.requests.map(({ messages }) => messages));
}

describe.skipIf(!PROGRAM)(`hooks from init work in the real Claude Code${WITHOUT_PROGRAM}`, () => {
  it.each([
    ['a subfolder of another working tree', join('tree', 'src', 'deep'), 'tree'],
    ['a subfolder', join('shop', 'src', 'deep'), 'shop'],
    ['another working tree', 'tree', 'tree'],
  ])(
    'started in %s',
    async (_where, folder, checkout) => {
      await sandbox.guardkit(['init', '--agent', 'claude'], { in: 'shop' });
      sandbox.git('shop', 'worktree', 'add', '--quiet', '../tree');
      mkdirSync(sandbox.path(folder), { recursive: true });
      expect(await cheatIn(folder, checkout)).toContain('block-tested-true');
    },
    SESSION_MS,
  );
});
