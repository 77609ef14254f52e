import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { featureSchema } from '../../../src/domain/entities/feature.ts';
import { whatWaits } from '../../../src/interfaces/dashboard/api/pending-decisions.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { recordFeatures } from '../../../src/store/ledger/tables/feature-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { serveDashboard } from './dashboard-server.ts';

const PROJECT = 'shop-1234';
const HOSTILE = '<script>alert(1)</script>\u001b[31m\u202e"\'`${x}';

function record(folder: string, features: readonly Record<string, unknown>[]) {
  const ledger = openLedger({ path: join(folder, 'ledger.db') });
  onTestFinished(() => ledger.close());
  recordFeatures(ledger, PROJECT, {
    by: 'person',
    actor: 'guardkit',
    features: features.map((one) => featureSchema.parse(one)),
  });
  return ledger;
}

it('a data folder without a ledger has no projects, and reading creates none', async () => {
  const { read } = await serveDashboard();
  expect(JSON.parse((await read('/api/projects')).text)).toEqual({ projects: [] });
});

it('projects without a checkout on this machine are shown from the ledger', async () => {
  const folder = temporaryFolder();
  record(folder, [
    { id: 'FEAT-1', name: 'One', status: 'blocked', blocked_reason: 'Which one?' },
    { id: 'FEAT-2', name: 'Two', dependencies: ['FEAT-1'] },
  ]);
  const { read } = await serveDashboard(folder);
  expect(JSON.parse((await read('/api/projects')).text).projects).toMatchObject([
    { id: PROJECT, checkouts: [], features: { blocked: 1, pending: 1 } },
  ]);
  const { features } = JSON.parse((await read(`/api/features?project=${PROJECT}`)).text);
  expect(features).toMatchObject([
    { id: 'FEAT-1', status: 'blocked', blocked_reason: 'Which one?', waits_for: [] },
    { id: 'FEAT-2', status: 'pending', waits_for: ['FEAT-1'] },
  ]);
  const now = JSON.parse((await read(`/api/now?project=${PROJECT}`)).text);
  expect(now).toMatchObject({ checkout: null, status: null, running: [] });
  expect(now.waiting).toMatchObject([{ kind: 'blocked', feature: 'FEAT-1', text: 'Which one?' }]);
});

it('a project without a queue is answered with the reason', async () => {
  const folder = temporaryFolder();
  record(folder, [{ id: 'FEAT-1' }]);
  const { read } = await serveDashboard(folder);
  const { status, text } = await read(`/api/queue?project=${PROJECT}`);
  expect([status, JSON.parse(text)]).toMatchObject([
    200,
    { missing: { code: 'queue.no-checkout' }, items: [], workers: [] },
  ]);
});

it('a feature that nobody knows is answered with a code', async () => {
  const folder = temporaryFolder();
  record(folder, [{ id: 'FEAT-1' }]);
  const { read } = await serveDashboard(folder);
  const answer = await read(`/api/feature?project=${PROJECT}&id=FEAT-9`);
  expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([404, 'dashboard.unknown']);
});

it('a checkout of the project is found, and its features and health are read from it', async () => {
  const folder = temporaryFolder();
  const checkout = join(folder, 'checkout');
  const home = join(folder, 'home');
  for (const each of [home, join(checkout, '.guardkit', 'features')]) mkdirSync(each, { recursive: true });
  writeFileSync(join(checkout, '.guardkit', 'config.yaml'), `project: ${PROJECT}\n`);
  writeFileSync(join(checkout, '.guardkit', 'features', 'FEAT-3.yaml'), 'id: FEAT-3\nname: From a file\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
      cwd: checkout,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'start');
  const ledger = record(home, [{ id: 'FEAT-1' }]);
  const { read } = await serveDashboard(home);
  // As a hook notes it.
  const { findGitFolder } = await import('../../../src/platform/git/git-folder.ts');
  const { findProject } = await import('../../../src/enforcement/hooks/open-enforcement.ts');
  const found = findGitFolder(checkout);
  if (found) await findProject(ledger, found, checkout);
  const before = ledger.head(PROJECT)?.number;
  const { features } = JSON.parse((await read(`/api/features?project=${PROJECT}`)).text);
  expect(features.map(({ id }: { id: string }) => id).sort()).toEqual(['FEAT-1', 'FEAT-3']);
  const now = JSON.parse((await read(`/api/now?project=${PROJECT}`)).text);
  expect(now).toMatchObject({ checkout, status: { project: PROJECT, protection: { tier: 'off' } } });
  expect(now.waiting).toContainEqual(
    expect.objectContaining({ kind: 'protection', command: 'guardkit init --agent claude' }),
  );
  const health = JSON.parse((await read(`/api/health?project=${PROJECT}`)).text);
  expect(health.doctor.checks).toContainEqual(expect.objectContaining({ id: 'project', outcome: 'pass' }));
  expect(JSON.parse((await read(`/api/log?project=${PROJECT}`)).text)).toEqual({ events: [] });
  // Reading records nothing.
  expect(ledger.head(PROJECT)?.number).toBe(before);
});

it('hostile texts and long names are data in every answer', async () => {
  const folder = temporaryFolder();
  const long = 'x'.repeat(300_000);
  record(folder, [
    {
      id: 'FEAT-1',
      name: HOSTILE,
      description: HOSTILE,
      notes: HOSTILE,
      status: 'blocked',
      blocked_reason: HOSTILE,
    },
  ]);
  record(folder, [{ id: 'FEAT-2', name: long }]);
  const { read } = await serveDashboard(folder);
  for (const path of ['features', 'now']) {
    const answer = await read(`/api/${path}?project=${PROJECT}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.stringify(JSON.parse(answer.text))).toContain('script');
  }
  const { features } = JSON.parse((await read(`/api/features?project=${PROJECT}`)).text);
  expect(features.at(1).name.length).toBeLessThanOrEqual(300_000);
});

it.each([
  ["tasks/a'; rm -rf ~ #.md", 'changed', 'acceptance', "guardkit accept 'tasks/a'\\''; rm -rf ~ #.md'"],
  ['tasks/new.md', 'added', 'commit', 'git add -- tasks/new.md && git commit -- tasks/new.md'],
] as const)('the command for a definition can be pasted: %s', (path, change, needs, command) => {
  const [waiting] = whatWaits({
    status: {
      project: PROJECT,
      root: '/',
      at: '',
      protection: { tier: 'kernel', why: null, improve: null, paused: null },
      waivers: [],
      pending: [{ path, change, needs }],
      changes: [],
      sessions: [],
      refusals: [],
      restored: 0,
      next: [],
    },
    features: [],
    builds: new Map(),
    running: new Set(),
    attestation: undefined,
    proposed: [],
  });
  expect(waiting?.command).toBe(command);
});

it('two thousand features are read in well under a second', async () => {
  const folder = temporaryFolder();
  record(
    folder,
    Array.from({ length: 2000 }, (_, index) => ({
      id: `FEAT-${index}`,
      name: `Feature ${index}`,
      dependencies: index > 0 ? [`FEAT-${index - 1}`] : [],
    })),
  );
  const { read } = await serveDashboard(folder);
  const began = performance.now();
  const { features } = JSON.parse((await read(`/api/features?project=${PROJECT}`)).text);
  expect(features).toHaveLength(2000);
  // Generous, for a busy machine; it takes about 0.1 s.
  expect(performance.now() - began).toBeLessThan(5000);
});
