import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { lookAround, openWindow } from '../../../src/enforcement/windows/open-window.ts';
import { noteSession } from '../../../src/enforcement/windows/sessions.ts';
import { readProcess } from '../../../src/platform/process-table.ts';
import { CONFIG, WatchedCheckout } from './windows-fixture.ts';

const LAX = 'project: lax\n';

/** A program that runs, with variables by which an agent marks what it starts. */
async function running(env: Record<string, string>): Promise<void> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', env: { PATH: process.env.PATH ?? '', ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
}

/** A session that was seen here, and of whose actions nobody knows any more. */
function forgotten(session: string): WatchedCheckout {
  const shop = new WatchedCheckout();
  const own = readProcess(process.pid);
  noteSession(shop.place, { session, agent: 'claude', process: own });
  lookAround(shop.place);
  openWindow(shop.place, shop.opening({ session }));
  shop.place.ledger.file.database.exec('DELETE FROM windows');
  shop.write('.guardkit/config.yaml', LAX);
  return shop;
}

let count = 0;
function newSession(): string {
  count += 1;
  return `stray-${process.pid}-${count}`;
}

test('what runs with an agent’s mark is found though its window was taken away, and what it changed put back', async () => {
  const session = newSession();
  const shop = forgotten(session);
  await running({ CLAUDE_CODE_SESSION_ID: session, CLAUDE_PID: String(process.pid) });
  const { restored } = lookAround(shop.place);
  expect(restored).toMatchObject([{ path: '.guardkit/config.yaml', session, action: 'left running' }]);
  expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
  expect(shop.violations()).toMatchObject([
    { session, what: expect.stringContaining('something that an action left running') },
  ]);
  // Also while the next action begins, whoever begins it.
  shop.write('.guardkit/config.yaml', LAX);
  expect(openWindow(shop.place, shop.opening({ session: 's2' })).restored).toHaveLength(1);
});

test('a change is a person’s where nothing of an agent runs', () => {
  const shop = forgotten(newSession());
  expect(lookAround(shop.place).restored).toEqual([]);
  expect(shop.read('.guardkit/config.yaml')).toBe(LAX);
});

test.each([
  ['a hook or server of the agent’s program', { AI_AGENT: 'claude-code_harness' }],
  ['something of another process with the same session', { CLAUDE_PID: '1' }],
])('%s is not taken for what an action left', async (_name, more) => {
  const session = newSession();
  const shop = forgotten(session);
  await running({ CLAUDE_CODE_SESSION_ID: session, CLAUDE_PID: String(process.pid), ...more });
  expect(lookAround(shop.place).restored).toEqual([]);
  expect(shop.read('.guardkit/config.yaml')).toBe(LAX);
});

test('what an agent left running in one checkout does not make a person’s change of another its own', async () => {
  const session = newSession();
  const shop = forgotten(session);
  const elsewhere = new WatchedCheckout();
  const place = { ...elsewhere.place, ledger: shop.place.ledger, project: 'other-0000' };
  lookAround(place);
  await running({ CLAUDE_CODE_SESSION_ID: session });
  elsewhere.write('.guardkit/config.yaml', LAX);
  lookAround(place);
  expect(elsewhere.read('.guardkit/config.yaml')).toBe(LAX);
});
