import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hooksSocket } from '../../../src/enforcement/install/hook-client.ts';
import { serveHooks } from '../../../src/interfaces/serve/serve-hooks.ts';
import { openSqlite } from '../../../src/platform/open-sqlite.ts';
import { HookedProject } from '../../support/hooked-project.ts';
import { exchangeHook } from '../../support/resident-hooks.ts';

const ANSWERED = /^(?:HTTP\/1\.1 102 .*\r\n\r\n)*HTTP\/1\.1 200 /;
const OTHER_BUILD = /^HTTP\/1\.1 409 /;
const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' } };

it('a client of another build replaces the process, which first answers the events that it has', async () => {
  const project = new HookedProject();
  await project.begin();
  const { dataFolder } = project;
  const ask = (build: string, id: string) => {
    const payload = { hook_event_name: 'PreToolUse', ...CALL, tool_use_id: id };
    const text = JSON.stringify({ session_id: project.session, cwd: project.folder, ...payload });
    const asked = { agent: 'claude', dataFolder, env: project.agentEnv(), cwd: project.folder, text };
    return exchangeHook(hooksSocket(dataFolder), asked, build);
  };
  const serve = async (build: string, check = () => {}) => {
    const counted: Promise<unknown>[] = [];
    const count = <Result>(work: Promise<Result>) => {
      counted.push(work);
      return work;
    };
    const server = await serveHooks({ dataFolder, build, count, check, noteIdle: () => {} });
    onTestFinished(() => server.close());
    return { server, counted };
  };
  const old = await serve('old', () => old.server.retire());
  expect(await ask('old', 'one')).toMatch(ANSWERED);

  const writer = openSqlite(join(dataFolder, 'ledger.db'));
  onTestFinished(() => void writer.close());
  writer.exec('BEGIN IMMEDIATE');
  const waiting = ask('old', 'two');
  await expect.poll(() => old.counted.length).toBe(2);
  expect(await ask('new', 'three')).toMatch(OTHER_BUILD);

  await serve('new');
  writer.exec('COMMIT');
  expect(await waiting).toMatch(ANSWERED);
  expect(await ask('new', 'three')).toMatch(ANSWERED);
  expect(await ask('old', 'four')).toMatch(OTHER_BUILD);
});
