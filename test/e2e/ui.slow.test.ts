import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findServer } from '../../src/enforcement/broker/server-record.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../support/cli.ts';

it('ui prints an address of the resident process and ends; the port stays across restarts', async () => {
  const sandbox = new Sandbox();
  const stop = () => sandbox.program(['serve', '--stop', '--json']);
  onTestFinished(() => stop().then(() => {}));
  const open = async () => {
    const { stdout, exitCode } = await sandbox.program(['ui', '--json']);
    expect(exitCode).toBe(0);
    const { origin, hash } = new URL(JSON.parse(stdout).url);
    return { origin, ticket: hash.slice('#ticket='.length) };
  };
  const first = await open();
  const pid = findServer(sandbox.home)?.pid;
  const again = await open();
  expect([again.origin, findServer(sandbox.home)?.pid]).toEqual([first.origin, pid]);
  expect(again.ticket).not.toBe(first.ticket);
  const body = JSON.stringify({ ticket: first.ticket });
  const exchanged = await fetch(`${first.origin}/api/session`, { method: 'POST', body });
  const { session } = (await exchanged.json()) as { session: string };
  expect(JSON.parse((await stop()).stdout)).toEqual({ stopped: pid });
  await expect(fetch(first.origin)).rejects.toThrow();
  expect((await open()).origin).toBe(first.origin);
  const headers = { 'x-guardkit-session': session };
  expect((await fetch(`${first.origin}/api/projects`, { headers })).status).toBe(200);
});

it('ui --static writes one file, and names a feature that does not exist', async () => {
  const sandbox = new Sandbox();
  const project = sandbox.repository('shop');
  const args = ['ui', '--static', '../report', '--json'];
  const unknown = await sandbox.program(args, { in: 'shop' });
  expect(JSON.parse(unknown.stdout).error.code).toBe('dashboard.unknown');
  const ledger = openLedger({ path: join(sandbox.home, 'ledger.db') });
  ledger.append(project, 'feature_reopened', { session_id: 's', feature_id: 'FEAT-1', why: 'test' });
  ledger.close();
  const { stdout } = await sandbox.program(args, { in: 'shop' });
  const { file } = JSON.parse(stdout);
  expect(file).toBe(sandbox.path('report', 'guardkit-report.html'));
  expect(readFileSync(file, 'utf8')).toContain('Content-Security-Policy');
  const missing = await sandbox.program([...args, '--feature', 'FEAT-9'], { in: 'shop' });
  expect(JSON.parse(missing.stdout).error.code).toBe('dashboard.unknown');
  for (const { exitCode } of [unknown, missing]) expect(exitCode).not.toBe(0);
});
