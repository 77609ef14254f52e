import { realpathSync } from 'node:fs';
import { expect, it } from 'vitest';
import { currentActor } from '../../../src/enforcement/feature-list/change-actor.ts';
import { listContext } from '../../../src/enforcement/feature-list/known-list.ts';
import { startSession } from '../../../src/orchestration/session-record/apply-event.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { HookedProject, LIST_PATH, listText } from '../../support/hooked-project.ts';
import { McpCaller } from './mcp-client.ts';

it('the next feature comes with what it asks for, and with why the others wait', async () => {
  const project = new HookedProject();
  project.write(
    LIST_PATH,
    listText([
      { id: 'FEAT-1', dependencies: ['FEAT-2'] },
      { id: 'FEAT-2', acceptance_criteria: ['AC-001: It adds'], notes: 'Begun <b>\u0007 before' },
    ]),
  );
  const caller = await McpCaller.connect({ cwd: project.folder, env: project.personEnv() });
  const { text } = await caller.call('next_action');
  expect(text).toMatch(/^FEAT-2 \(pending/);
  expect(text).toContain('- AC-001: It adds');
  expect(text).toContain('notes: Begun <b> before');
  expect(text).toContain('verify_feature FEAT-2');
  expect(text).toMatch(/FEAT-1 .*FEAT-2/);
});

it('a session that is at work here comes first', async () => {
  const project = new HookedProject();
  const ledger = openLedger({ path: `${project.dataFolder}/ledger.db` });
  const list = listContext(ledger, 'shop-1', realpathSync(project.folder), project.dataFolder);
  await startSession(
    { list, changedBy: currentActor(list, project.personEnv()) },
    {
      id: 'SES-1',
      at: new Date().toISOString(),
      driven_by: 'hooks',
      limits: { until: null, max_features: null, budget_usd: null, only: null },
      agent_session: project.session,
      details: {},
    },
  );
  ledger.close();
  const caller = await McpCaller.connect({ cwd: project.folder, env: project.personEnv() });
  expect((await caller.call('next_action')).text).toMatch(/^\S+ SES-1 /);
});

it('a project without features says how to begin', async () => {
  const project = new HookedProject();
  project.write(LIST_PATH, listText([]));
  const caller = await McpCaller.connect({ cwd: project.folder, env: project.personEnv() });
  expect((await caller.call('next_action')).text).toContain('guardkit feature add');
});

it('a parameter that it does not take is named, and that it takes none', async () => {
  const project = new HookedProject();
  const caller = await McpCaller.connect({ cwd: project.folder, env: project.personEnv() });
  const answer = await caller.call('next_action', { x: 1 });
  expect(answer).toMatchObject({ refused: true, code: 'call.wrong' });
  expect(answer.text).toMatch(/\bx\b/);
});
