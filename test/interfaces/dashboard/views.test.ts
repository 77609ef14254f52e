import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findProject } from '../../../src/enforcement/hooks/open-enforcement.ts';
import { findGitFolder } from '../../../src/platform/git/git-folder.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { serveDashboard } from './dashboard-server.ts';

const PROJECT = 'shop-1234';
const HOSTILE = '<script>alert(1)</script>\u001b[31m\u202e';
const GRAPH = '.maestro/knowledge.dot';

/** A checkout with a guard file and an architecture graph of two commits, known to the ledger. */
async function project() {
  const folder = temporaryFolder();
  const [checkout, home] = [join(folder, 'checkout'), join(folder, 'home')];
  for (const each of [home, join(checkout, '.guardkit', 'guards'), join(checkout, '.maestro')])
    mkdirSync(each, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
      cwd: checkout,
      encoding: 'utf8',
    });
  const graph = (...lines: string[]) =>
    writeFileSync(join(checkout, GRAPH), ['digraph knowledge {', ...lines, '}', ''].join('\n'));
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(checkout, '.guardkit', 'config.yaml'), `project: ${PROJECT}\n`);
  writeFileSync(
    join(checkout, '.guardkit', 'guards', 'no-force.yaml'),
    [
      'id: no-force',
      'summary: No force push',
      'commands: [{program: git, subcommand: push, options: [--force]}]',
      'reason: History is shared.',
      'guidance: Push a new commit.',
      '',
    ].join('\n'),
  );
  graph('  "api" [type="component", description="Serves requests", status="current"];');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'start');
  graph(
    '  "api" [type="component", description="Serves requests", status="current"];',
    `  "store" [type="datastore", description="Keeps orders", status="current", URL="javascript:alert(1)"];`,
    '  "api" -> "store" [relation="uses"];',
  );
  git('commit', '--quiet', '--all', '--message', `add the store ${HOSTILE.slice(0, 25)}`);
  const ledger = openLedger({ path: join(home, 'ledger.db') });
  onTestFinished(() => ledger.close());
  const found = findGitFolder(checkout);
  ledger.append(PROJECT, 'action_judged', judged('s1', 'deny', null));
  if (found) await findProject(ledger, found, checkout);
  return { home, checkout, ledger, git };
}

function judged(session: string, decision: 'deny' | 'warn' | 'allow', silent: 'shadow' | 'waived' | null) {
  return {
    session,
    agent: 'claude',
    agent_type: null,
    action: 'a1',
    tool: 'Bash',
    kind: 'command',
    summary: `git push --force ${HOSTILE}`,
    attempted: null,
    feature: 'FEAT-1',
    task: null,
    turn: null,
    decision,
    findings: [
      {
        guard: 'no-force',
        decision: decision === 'allow' ? ('deny' as const) : decision,
        reason: HOSTILE,
        guidance: '',
        silent,
        waiver: null,
      },
    ],
  };
}

const of = (path: string, more = '') => `/api/${path}?project=${PROJECT}${more}`;

it('an attestation of the current commit that is not valid waits for a person', async () => {
  const { home, git } = await project();
  const { read } = await serveDashboard(home);
  const kinds = async () =>
    JSON.parse((await read(of('now'))).text).waiting.map(({ kind }: { kind: string }) => kind);
  expect(await kinds()).not.toContain('attestation');
  git('notes', '--ref=refs/notes/guardkit', 'append', '--message={"payloadType":"x"}', 'HEAD');
  expect(await kinds()).toContain('attestation');
});

it('guards are counted by what became of their objections, without those of doctor', async () => {
  const { home, ledger } = await project();
  ledger.append(PROJECT, 'action_judged', judged('s1', 'allow', 'waived'));
  ledger.append(PROJECT, 'action_judged', judged('s1', 'allow', 'shadow'));
  ledger.append(PROJECT, 'action_judged', judged('guardkit-doctor-1', 'deny', null));
  const { read } = await serveDashboard(home);
  const { guards, events } = JSON.parse((await read(of('guards'))).text);
  const own = guards.find(({ id }: { id: string }) => id === 'no-force');
  expect(own).toMatchObject({
    counts: { refused: 1, waived: 1, watched: 1, restored: 0 },
    wrong: 1,
    false_block_rate: 0.5,
  });
  expect(events.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['watched', 'waived', 'refused']);
  const later = JSON.parse((await read(of('guards', '&days=0'))).text);
  expect(later.error.code).toBe('dashboard.parameters');
});

it('a guard is shown with its source, and an id that looks like an option stays an id', async () => {
  const { home } = await project();
  const { read } = await serveDashboard(home);
  const guard = JSON.parse((await read(of('guard', '&id=no-force'))).text);
  expect(guard).toMatchObject({ id: 'no-force', backtest: { actions: 0, fired: 0 }, waivers: [] });
  expect(guard.source).toContain('subcommand: push');
  for (const id of ['--help', 'none', '..%2F..']) {
    const answer = await read(of('guard', `&id=${id}`));
    expect([id, answer.status, JSON.parse(answer.text).error.code]).toEqual([id, 404, 'guard.unknown']);
  }
});

it('memory is found by words and by field, and an episode shows its versions and relations', async () => {
  const { home } = await project();
  const before = await serveDashboard(home);
  expect(JSON.parse((await before.read(of('memory'))).text).store).toBeNull();
  const store = await openStore({ path: join(home, 'guardkit.db') });
  const group = `${PROJECT}__failed_approaches`;
  const body = { feature_id: 'FEAT-1', approach: 'Cache the session', why_it_failed: 'It went stale' };
  for (const why_it_failed of ['It went stale', `It went stale ${HOSTILE}`])
    await store.upsert({
      group,
      entity_type: 'failed_approach',
      body: { ...body, why_it_failed },
      source: 'test',
    });
  await store.close();
  const { read } = await serveDashboard(home);
  const { groups } = JSON.parse((await read(of('memory'))).text);
  expect(groups).toContainEqual(
    expect.objectContaining({ group, episodes: 1, fields: expect.arrayContaining(['feature_id']) }),
  );
  const found = async (more: string) => JSON.parse((await read(of('episodes', more))).text).episodes;
  expect(await found('&query=session')).toMatchObject([{ group, entity_type: 'failed_approach' }]);
  expect(await found('&query=')).toHaveLength(1);
  expect(await found(`&group=${group}&field=feature_id&value=FEAT-1`)).toHaveLength(1);
  expect(await found(`&group=${group}&field=feature_id&value=FEAT-2`)).toHaveLength(0);
  const [{ entity_id: id }] = await found('&query=session');
  const episode = JSON.parse((await read(of('episode', `&id=${id}`))).text);
  expect(episode.versions).toMatchObject([
    { expired_at: null, changes: [{ path: 'why_it_failed', before: 'It went stale' }] },
    { changes: [] },
  ]);
  expect(episode.links).toContainEqual({
    relation: 'failed_in',
    direction: 'out',
    id: 'FEAT-1',
    group: null,
  });
});

it('memory of another project is not read', async () => {
  const { home } = await project();
  const { read } = await serveDashboard(home);
  const store = await openStore({ path: join(home, 'guardkit.db') });
  const group = 'other-1__failed_approaches';
  await store.upsert({
    group,
    entity_type: 'failed_approach',
    body: { feature_id: 'FEAT-1', approach: 'Other', why_it_failed: 'Other' },
    source: 'test',
  });
  await store.close();
  expect(JSON.parse((await read(of('episodes', '&query=other'))).text).episodes).toEqual([]);
  expect(JSON.parse((await read(of('episodes', `&query=&group=${group}`))).text).episodes).toEqual([]);
  expect((await read(of('episode', `&id=FEAT-1&group=${group}`))).status).toBe(404);
});

it('learning shows the metrics of the time asked for, and records nothing', async () => {
  const { home, ledger } = await project();
  const before = ledger.head(PROJECT)?.number;
  const { read } = await serveDashboard(home);
  const { metrics, patterns, proposals } = JSON.parse((await read(of('learning', '&days=7'))).text);
  expect(metrics.periods).toHaveLength(7);
  expect(metrics.compliance.share.periods).toHaveLength(7);
  expect([patterns, proposals]).toEqual([[], []]);
  expect(ledger.head(PROJECT)?.number).toBe(before);
});

it('the graph is drawn with the last change marked, and its links do not reach the picture [DASH-3]', async () => {
  const { home, git } = await project();
  const { read } = await serveDashboard(home);
  const first = git('rev-list', '--max-parents=0', 'HEAD').trim();
  const answer = JSON.parse((await read(of('architecture'))).text);
  expect(answer).toMatchObject({ compared_with: first, graph: { edges: 1 }, why_no_picture: null });
  expect(answer.graph.nodes).toEqual([
    expect.objectContaining({ id: 'api', change: 'changed' }),
    expect.objectContaining({ id: 'store', change: 'added' }),
  ]);
  expect(answer.history.map(({ commit }: { commit: string }) => commit)).toContain(first);
  expect(answer.picture).toContain('<svg');
  expect(answer.picture).not.toMatch(/javascript:|xlink:href/);
  const near = JSON.parse((await read(of('architecture', '&around=api&depth=1'))).text);
  expect(near.picture).toContain('<svg');
  expect((await read(of('architecture', '&from=HEAD'))).status).toBe(400);
});

it('a graph that cannot be read is shown as a fault with its line', async () => {
  const { home, checkout } = await project();
  writeFileSync(join(checkout, GRAPH), 'digraph {\n  "a" -> \n');
  const { read } = await serveDashboard(home);
  const { graph, faults } = JSON.parse((await read(of('architecture'))).text);
  expect([graph, faults.length]).toEqual([null, 1]);
  expect(faults[0].line).toBeGreaterThan(1);
});
