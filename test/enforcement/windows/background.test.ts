import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closeWindow } from '../../../src/enforcement/windows/close-window.ts';
import { lookAround, openWindow } from '../../../src/enforcement/windows/open-window.ts';
import { watchTables } from '../../../src/enforcement/windows/watch.ts';
import { readWindows } from '../../../src/enforcement/windows/window.ts';
import { isRunning, readProcess } from '../../../src/platform/process-table.ts';
import { CONFIG, WatchedCheckout } from './windows-fixture.ts';

/** An agent's program that starts what it is told to on its input, as an agent starts its commands. */
async function agentProgram(): Promise<{
  child: ChildProcess;
  by: { session: string; agentProcess: { pid: number; started: number } };
}> {
  // Of its own: what it starts is known by it, also to tests that run at the same time.
  const session = randomUUID();
  const program = `
    const { spawnSync } = require('node:child_process');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      spawnSync('/bin/sh', ['-c', JSON.parse(line)], { stdio: 'ignore',
        env: { ...process.env, CLAUDE_CODE_SESSION_ID: ${JSON.stringify(session)}, AI_AGENT: 'claude-code_2_agent' } });
      process.stdout.write('done\\n');
    });
    process.stdout.write('ready\\n');`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout) await once(child.stdout, 'data');
  const row = readProcess(child.pid ?? 0);
  if (!row) throw new Error('the agent does not run');
  return { child, by: { session, agentProcess: { pid: row.pid, started: row.started } } };
}

async function run({ child }: { child: ChildProcess }, command: string): Promise<void> {
  const answered = child.stdout && once(child.stdout, 'data');
  child.stdin?.write(`${JSON.stringify(command)}\n`);
  await answered;
}

function states(shop: WatchedCheckout) {
  return readWindows(watchTables(shop.place.ledger)).map(({ body }) => body.state);
}

/** Waits for the file that a process writes last, and then for the process itself. */
async function ended(shop: WatchedCheckout): Promise<void> {
  for (;;) {
    const processes = readWindows(watchTables(shop.place.ledger)).flatMap(({ body }) => body.processes);
    if (!processes.some(isRunning)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Writes what it must not once the file `go` is there, then ends. */
const LATE = `while [ ! -e go ]; do [ -d .git ] || exit; sleep 0.02; done; echo 'project: lax' > .guardkit/config.yaml`;

const WAYS: Record<string, string> = {
  'in the background of its shell': `(${LATE}) &`,
  'without a terminal': `nohup sh -c "${LATE}" > /dev/null 2>&1 &`,
  'in a session of its own': `setsid sh -c "${LATE}" &`,
  'without a parent, without a mark': `env -i PATH="$PATH" setsid sh -c "(${LATE}) & exit 0" &
    wait`,
};

for (const [name, command] of Object.entries(WAYS)) {
  test(`what a process writes later is put back, when it was left ${name}`, async () => {
    const shop = new WatchedCheckout();
    onTestFinished(() => writeFileSync(join(shop.folder, 'shop', 'go'), ''));
    const agent = await agentProgram();
    const opening = shop.opening(agent.by);
    openWindow(shop.place, opening);
    await run(agent, `cd ${shop.path()} && ${command}`);
    closeWindow(shop.place, { ...opening, orphans: name.includes('without a mark') });
    expect(states(shop)).toEqual(['background']);

    writeFileSync(shop.path('go'), '');
    await ended(shop);
    expect(shop.read('.guardkit/config.yaml')).toBe('project: lax\n');
    const { restored } = openWindow(shop.place, shop.opening(agent.by));
    expect(restored).toMatchObject([{ path: '.guardkit/config.yaml', action: opening.action }]);
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
    expect(states(shop)).toEqual(['open']);
    expect(shop.violations()[0]?.what).toContain('left running');
  });
}

test('what a process starts before it ends keeps the window open', async () => {
  const shop = new WatchedCheckout();
  onTestFinished(() => writeFileSync(join(shop.folder, 'shop', 'go'), ''));
  const agent = await agentProgram();
  const opening = shop.opening(agent.by);
  openWindow(shop.place, opening);
  await run(
    agent,
    `cd ${shop.path()} && (while [ ! -e first ]; do [ -d .git ] || exit; sleep 0.02; done; setsid sh -c "${LATE}" &) &`,
  );
  closeWindow(shop.place, { ...opening, orphans: false });
  const first = readWindows(watchTables(shop.place.ledger)).flatMap(({ body }) => body.processes);
  writeFileSync(shop.path('first'), '');
  while (first.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 10));
  lookAround(shop.place);
  expect(states(shop)).toEqual(['background']);
  writeFileSync(shop.path('go'), '');
  await ended(shop);
  expect(lookAround(shop.place).restored).toHaveLength(1);
  expect(states(shop)).toEqual([]);
});

test('of several that have ended, one look tells those that started something else before', async () => {
  const shop = new WatchedCheckout();
  const wait = (name: string) => `while [ ! -e ${name} ]; do [ -d .git ] || exit; sleep 0.02; done`;
  const stays = { ends: ':', 'goes on': `setsid sh -c "${wait('go')}" &` };
  for (const [action, then] of Object.entries(stays)) {
    const agent = await agentProgram();
    const opening = shop.opening({ ...agent.by, action });
    openWindow(shop.place, opening);
    await run(agent, `cd ${shop.path()} && (${wait('first')}; ${then}) &`);
    closeWindow(shop.place, { ...opening, orphans: false });
  }
  writeFileSync(shop.path('first'), '');
  await ended(shop);
  lookAround(shop.place);
  const open = readWindows(watchTables(shop.place.ledger)).map(({ action }) => action);
  writeFileSync(shop.path('go'), '');
  await ended(shop);
  expect(open).toEqual(['goes on']);
});

test('a command that leaves nothing running leaves no window', async () => {
  const shop = new WatchedCheckout();
  const agent = await agentProgram();
  const opening = shop.opening(agent.by);
  openWindow(shop.place, opening);
  await run(agent, `cd ${shop.path()} && (sleep 0.01 &) ; wait; sleep 0.1; git status > /dev/null`);
  closeWindow(shop.place, { ...opening, orphans: false });
  expect(states(shop)).toEqual([]);
});

test('what others start meanwhile is not taken for the agent’s', async () => {
  const shop = new WatchedCheckout();
  const agent = await agentProgram();
  const opening = shop.opening(agent.by);
  openWindow(shop.place, opening);
  const other = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other, 'spawn');
  closeWindow(shop.place, { ...opening, orphans: false });
  expect(states(shop)).toEqual([]);
});

test('an edit by the agent’s own program looks for no processes', async () => {
  const shop = new WatchedCheckout();
  const agent = await agentProgram();
  const opening = shop.opening({ ...agent.by, runs: false });
  openWindow(shop.place, opening);
  await run(agent, 'sleep 1 &');
  closeWindow(shop.place, { ...opening, orphans: false });
  expect(states(shop)).toEqual([]);
});
