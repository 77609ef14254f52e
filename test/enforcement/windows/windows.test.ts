import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { closeWindow, settle } from '../../../src/enforcement/windows/close-window.ts';
import { lookAround, openWindow } from '../../../src/enforcement/windows/open-window.ts';
import { noteSession } from '../../../src/enforcement/windows/sessions.ts';
import { takeAsOwn } from '../../../src/enforcement/windows/take-as-own.ts';
import { watchTables } from '../../../src/enforcement/windows/watch.ts';
import { keepWindow, readWindows } from '../../../src/enforcement/windows/window.ts';
import { findGitFolder } from '../../../src/platform/git-folder.ts';
import type { ProcessId } from '../../../src/platform/process-row.ts';
import { readProcess } from '../../../src/platform/process-table.ts';
import { CONFIG, WatchedCheckout } from './windows-fixture.ts';

const LAX = 'project: lax\n';

function openActions(shop: WatchedCheckout): string[] {
  return readWindows(watchTables(shop.place.ledger)).map(({ action }) => action);
}

/** A process that stands for an agent's program, and its end. */
async function agentProgram(): Promise<{ id: ProcessId; end: () => Promise<void> }> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const row = readProcess(child.pid ?? 0);
  if (!row) throw new Error('the agent does not run');
  return {
    id: { pid: row.pid, started: row.started },
    end: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('several actions at once', () => {
  test('a change before the second begins is not taken for a person’s', () => {
    const shop = new WatchedCheckout();
    const one = shop.opening();
    const two = shop.opening();
    openWindow(shop.place, one);
    shop.write('.guardkit/config.yaml', LAX);
    const { restored } = openWindow(shop.place, two);
    expect(restored).toMatchObject([{ path: '.guardkit/config.yaml', action: one.action, uncertain: true }]);
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
    shop.write('.guardkit/config.yaml', LAX);
    closeWindow(shop.place, { ...one, orphans: false });
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
    shop.write('.guardkit/config.yaml', LAX);
    closeWindow(shop.place, { ...two, orphans: false });
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
    expect(openActions(shop)).toEqual([]);
    expect(shop.violations()).toHaveLength(3);
  });

  test('of another checkout do not keep a person from changing this one', () => {
    const shop = new WatchedCheckout();
    shop.git('worktree', 'add', '--quiet', join(shop.folder, 'tree'));
    const git = findGitFolder(join(shop.folder, 'tree'));
    if (!git) throw new Error('there is no worktree');
    const tree = { ...shop.place, checkout: join(shop.folder, 'tree'), git };
    const there = shop.opening({ session: 's2' });
    lookAround(shop.place);
    openWindow(tree, there);
    shop.write('.guardkit/config.yaml', `${CONFIG}# mine\n`);
    expect(shop.act(() => {}).restored).toEqual([]);
    expect(shop.read('.guardkit/config.yaml')).toContain('mine');
    // What both share may be changed by neither.
    shop.write('.git/hooks/post-checkout', '#!/bin/sh\n');
    writeFileSync(join(shop.place.home, '.gitconfig'), '[core]\n\thooksPath = x\n');
    const { restored } = closeWindow(tree, { ...there, orphans: false });
    expect(restored.map(({ path }) => path)).toEqual([
      '.git/hooks/post-checkout',
      join(shop.place.home, '.gitconfig'),
    ]);
  });
});

test('a worktree cannot be led to another repository', () => {
  const shop = new WatchedCheckout();
  shop.git('worktree', 'add', '--quiet', join(shop.folder, 'tree'));
  const checkout = join(shop.folder, 'tree');
  const git = findGitFolder(checkout);
  if (!git) throw new Error('there is no worktree');
  const tree = { ...shop.place, checkout, git };
  const opening = shop.opening();
  const link = readFileSync(join(checkout, '.git'), 'utf8');
  openWindow(tree, opening);
  writeFileSync(join(checkout, '.git'), `gitdir: ${shop.folder}/evil\n`);
  const { restored } = closeWindow(tree, { ...opening, orphans: false });
  expect(restored.map(({ path }) => path)).toEqual(['.git']);
  expect(readFileSync(join(checkout, '.git'), 'utf8')).toBe(link);
});

test('an action that a prompt came in the middle of is still looked at when it ends', async () => {
  const shop = new WatchedCheckout();
  const agent = await agentProgram();
  const opening = shop.opening({ agentProcess: agent.id });
  openWindow(shop.place, opening);
  const tables = watchTables(shop.place.ledger);
  for (const window of readWindows(tables))
    keepWindow(tables, { ...window, body: { ...window.body, state: 'background', processes: [agent.id] } });
  shop.write('.guardkit/config.yaml', LAX);
  closeWindow(shop.place, { ...opening, orphans: false });
  expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
  expect(openActions(shop)).toEqual([]);
});

describe('a window that nobody closes', () => {
  test('of a refused action ends with its batch', () => {
    const shop = new WatchedCheckout();
    const refused = shop.opening();
    openWindow(shop.place, refused);
    settle(shop.place, { session: 's1', actions: ['other'] });
    expect(openActions(shop)).toEqual([refused.action]);
    settle(shop.place, { session: 's1', actions: [refused.action] });
    expect(openActions(shop)).toEqual([]);
  });

  test('ends when its agent stops, and not when another agent of the session does', () => {
    const shop = new WatchedCheckout();
    const mine = shop.opening();
    const helper = shop.opening({ agentId: 'h1', agentType: 'coding' });
    openWindow(shop.place, mine);
    openWindow(shop.place, helper);
    settle(shop.place, { session: 's1' });
    expect(openActions(shop)).toEqual([helper.action]);
    settle(shop.place, { session: 's2', agentId: 'h1' });
    expect(openActions(shop)).toEqual([helper.action]);
    settle(shop.place, { session: 's1', agentId: 'h1' });
    expect(openActions(shop)).toEqual([]);
  });

  test('all end with the session, and what changed in them is put back', () => {
    const shop = new WatchedCheckout();
    openWindow(shop.place, shop.opening());
    openWindow(shop.place, shop.opening({ agentId: 'h1' }));
    shop.write('.guardkit/config.yaml', LAX);
    expect(settle(shop.place, { session: 's1', whole: true }).restored).toHaveLength(1);
    expect(openActions(shop)).toEqual([]);
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
  });

  test('ends when its agent’s program is gone: what changed in it is not taken for a person’s', async () => {
    const shop = new WatchedCheckout();
    const agent = await agentProgram();
    openWindow(shop.place, shop.opening({ agentProcess: agent.id }));
    shop.write('.guardkit/config.yaml', LAX);
    settle(shop.place);
    expect(openActions(shop)).toHaveLength(1);
    await agent.end();
    const { restored } = lookAround(shop.place);
    expect(restored).toMatchObject([{ path: '.guardkit/config.yaml', session: 's1' }]);
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
    expect(openActions(shop)).toEqual([]);
    shop.write('.guardkit/config.yaml', `${CONFIG}# mine\n`);
    lookAround(shop.place);
    expect(shop.read('.guardkit/config.yaml')).toContain('mine');
  });

  test('of a checkout that is gone is forgotten, also from another project', async () => {
    const shop = new WatchedCheckout();
    const agent = await agentProgram();
    const elsewhere = new WatchedCheckout();
    const place = { ...elsewhere.place, ledger: shop.place.ledger, project: 'other-0000' };
    openWindow(place, elsewhere.opening({ agentProcess: agent.id }));
    await agent.end();
    rmSync(elsewhere.path(), { recursive: true });
    settle(shop.place);
    expect(openActions(shop)).toEqual([]);
  });
});

test('an action that has something run later keeps its window until the session is over', () => {
  const shop = new WatchedCheckout();
  noteSession(shop.place, { session: 's1', agent: 'claude' });
  shop.act(() => {}, { schedules: true });
  expect(openActions(shop)).toEqual(['a1']);
  shop.write('.guardkit/config.yaml', LAX);
  expect(shop.act(() => {}).restored).toHaveLength(1);
  expect(openActions(shop)).toEqual(['a1']);
  noteSession(shop.place, { session: 's1', agent: 'claude', ended: true });
  shop.write('.guardkit/config.yaml', LAX);
  expect(lookAround(shop.place).restored).toHaveLength(1);
  expect(openActions(shop)).toEqual([]);
  expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
});

test('what GuardKit itself writes while an agent acts is known as it wrote it', () => {
  const shop = new WatchedCheckout();
  const launcher = join(shop.place.dataFolder, 'bin', 'guardkit-hook');
  const state = shop.path('.claude/progress/session-state.json');
  const { restored } = shop.act(() => {
    for (const file of [launcher, state]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'ours\n');
    }
    takeAsOwn(shop.place, [launcher, state]);
  });
  expect(restored).toEqual([]);
  shop.act(() => {
    writeFileSync(launcher, 'evil\n');
    rmSync(state);
  });
  expect([launcher, state].map((file) => readFileSync(file, 'utf8'))).toEqual(['ours\n', 'ours\n']);
});

test('contents that are no longer watched are not kept for ever', () => {
  const shop = new WatchedCheckout();
  const kept = () =>
    Number(shop.place.ledger.file.database.prepare('SELECT count(*) FROM kept').pluck().get());
  lookAround(shop.place);
  const before = kept();
  for (const text of ['a', 'b', 'c']) {
    shop.write('.guardkit/config.yaml', text);
    lookAround(shop.place);
  }
  expect(kept()).toBe(before);
});

test('closing what was never opened, or is closed, does nothing', () => {
  const shop = new WatchedCheckout();
  shop.write('.guardkit/config.yaml', LAX);
  expect(closeWindow(shop.place, { session: 's1', action: 'none' })).toEqual({ restored: [], notices: [] });
  expect(shop.read('.guardkit/config.yaml')).toBe(LAX);
});

test('a window whose row was damaged still counts as open', () => {
  const shop = new WatchedCheckout();
  const opening = shop.opening();
  openWindow(shop.place, opening);
  shop.place.ledger.file.database.prepare("UPDATE windows SET body = '{'").run();
  shop.write('.guardkit/config.yaml', LAX);
  const { restored } = openWindow(shop.place, shop.opening());
  expect(restored).toMatchObject([{ path: '.guardkit/config.yaml', agent: 'unknown' }]);
  expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
});
