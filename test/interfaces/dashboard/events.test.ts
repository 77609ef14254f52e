import { request } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { serveDashboard } from './dashboard-server.ts';

const PROJECT = 'shop-1234';

function ledgerIn(folder: string) {
  const ledger = openLedger({ path: join(folder, 'ledger.db') });
  onTestFinished(() => ledger.close());
  const add = (feature: string) =>
    ledger.append(PROJECT, 'feature_reopened', { session_id: 's', feature_id: feature, why: 'test' });
  return { ledger, add };
}

/** An open stream, with the text that arrived. */
async function follow(port: number, session: string, lastId?: number, project = PROJECT) {
  const stream = { status: 0, text: '', closed: false, end: () => {} };
  const headers = {
    'x-guardkit-session': session,
    ...(lastId === undefined ? {} : { 'last-event-id': String(lastId) }),
  };
  await new Promise<void>((resolve, reject) => {
    const path = `/api/events?project=${project}`;
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      stream.status = response.statusCode ?? 0;
      response.on('data', (chunk) => {
        stream.text += chunk;
      });
      response.on('close', () => {
        stream.closed = true;
      });
      response.on('error', () => {});
      resolve();
    });
    sent.on('error', reject);
    stream.end = () => sent.destroy();
    sent.end();
  });
  onTestFinished(() => stream.end());
  return stream;
}

const idsIn = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

it('a page hears of each new entry once, with its number and feature [DASH-4]', async () => {
  const folder = temporaryFolder();
  const { add } = ledgerIn(folder);
  add('FEAT-1');
  const { port, session } = await serveDashboard(folder);
  const stream = await follow(port, session);
  await vi.waitFor(() => expect(idsIn(stream.text)).toEqual([1]), 20_000);
  add('FEAT-2');
  add('FEAT-3');
  await vi.waitFor(() => expect(idsIn(stream.text)).toEqual([1, 2, 3]), 10_000);
  const data = [...stream.text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json));
  expect(data.at(-1)).toMatchObject({ number: 3, kind: 'feature_reopened', feature: 'FEAT-3' });
});

it('a page that reconnects continues where it was [DASH-4]', async () => {
  const folder = temporaryFolder();
  const { add } = ledgerIn(folder);
  const { port, session } = await serveDashboard(folder);
  for (let number = 1; number <= 5; number += 1) add(`FEAT-${number}`);
  const stream = await follow(port, session, 2);
  await vi.waitFor(() => expect(idsIn(stream.text)).toEqual([3, 4, 5]), 20_000);
  add('FEAT-6');
  await vi.waitFor(() => expect(idsIn(stream.text)).toEqual([3, 4, 5, 6]), 10_000);
});

it('a page that knows more than the ledger, or far less, reads everything again', async () => {
  const folder = temporaryFolder();
  const { ledger, add } = ledgerIn(folder);
  add('FEAT-1');
  const { port, session } = await serveDashboard(folder);
  const ahead = await follow(port, session, 99);
  await vi.waitFor(() => expect(ahead.text).toContain('event: reset\nid: 1\n'), 20_000);
  const body = { session_id: 's', feature_id: 'FEAT-1', why: 'test' };
  ledger.appendMany(
    PROJECT,
    Array.from({ length: 1100 }, () => ({ kind: 'feature_reopened', body })),
  );
  const behind = await follow(port, session, 1);
  await vi.waitFor(() => expect(behind.text).toContain('event: reset\nid: 1101\n'), 20_000);
});

it('entries of other projects are not sent', async () => {
  const folder = temporaryFolder();
  const { ledger, add } = ledgerIn(folder);
  const { port, session } = await serveDashboard(folder);
  const stream = await follow(port, session);
  ledger.append('other-1', 'feature_reopened', { session_id: 's', feature_id: 'FEAT-9', why: 'test' });
  add('FEAT-1');
  await vi.waitFor(() => expect(stream.text).toContain('FEAT-1'), 10_000);
  expect(stream.text).not.toContain('FEAT-9');
});

it('two hundred pages follow at the same time; one more is told to wait', async () => {
  const folder = temporaryFolder();
  const { add } = ledgerIn(folder);
  const { port, session } = await serveDashboard(folder);
  const streams = await Promise.all(Array.from({ length: 200 }, () => follow(port, session)));
  expect(streams.every(({ status }) => status === 200)).toBe(true);
  expect((await follow(port, session)).status).toBe(503);
  add('FEAT-1');
  await vi.waitFor(
    () => expect(streams.filter(({ text }) => text.includes('FEAT-1'))).toHaveLength(200),
    10_000,
  );
  streams[0]?.end();
  await vi.waitFor(async () => expect((await follow(port, session)).status).toBe(200), 10_000);
});

it('a stream opened before the first use of GuardKit hears of the first entry, and creates no ledger', async () => {
  const folder = temporaryFolder();
  const { port, session } = await serveDashboard(folder);
  const stream = await follow(port, session);
  expect(stream.status).toBe(200);
  const { add } = ledgerIn(folder);
  add('FEAT-1');
  await vi.waitFor(() => expect(stream.text).toContain('FEAT-1'), 15_000);
});
