import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureSchema } from '../../../src/domain/entities/feature.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { recordFeatures } from '../../../src/store/ledger/tables/feature-table.ts';
import { type CliFailure, Sandbox } from '../../support/cli.ts';
import { createDatabase, queryPostgres, type TestDatabase } from '../../support/postgres.ts';
import { documented, QueueProject } from '../../support/queue-project.ts';
import { further, rows } from '../../support/thorough.ts';

let project: QueueProject;
beforeAll(async () => {
  project = await QueueProject.create([documented('A'), documented('B', { needs: ['FEAT-A'] })]);
  await project.queueJson('queue', 'init');
});
afterAll(() => project.cleanup());

const COMMANDS: [string, string[]][] = [
  ['queue init', ['queue', 'init']],
  ['queue add', ['queue', 'add', 'FEAT-A']],
  ['queue list', ['queue', 'list']],
  ['queue cancel', ['queue', 'cancel', 'FEAT-A']],
  ['queue workers', ['queue', 'workers']],
  ['worker', ['worker']],
  ['run --workers', ['run', '--workers', '2']],
];

describe('[MANY-2] queue and worker without what they need', () => {
  const sandbox = new Sandbox();
  let empty: TestDatabase;
  beforeAll(async () => {
    sandbox.repository('other');
    empty = await createDatabase();
  });
  afterAll(async () => {
    sandbox.cleanup();
    await empty.cleanup();
  });
  const failure = (args: readonly string[], url?: string): Promise<CliFailure> =>
    sandbox.failure(args, { in: 'other', env: { GUARDKIT_DATABASE_URL: url } });

  it.each(COMMANDS)('%s: no server is named', async (_line, args) => {
    expect(await failure(args)).toMatchObject({ exitCode: 2, code: 'queue.no-server' });
  });

  it('the clone has no remote', async () => {
    const found = await failure(['queue', 'init'], project.url);
    expect(found).toMatchObject({ exitCode: 2, code: 'queue.no-remote' });
  });

  it.each(
    rows(1, [
      ['remote.origin.url', 'https://me:s3cret-0f-mine@git.example.com/shop.git'],
      ['remote.origin.pushurl', `https://ghp_${'a1B2'.repeat(9)}@github.com/me/shop.git`],
      ['http.https://git.example.com/.extraheader', 'AUTHORIZATION: basic bWU6czNjcmV0'],
    ]),
  )('agents could read the password for the remote in %s', async (name, value) => {
    sandbox.git('other', 'config', 'remote.origin.url', 'ssh://git@git.example.com/shop.git');
    sandbox.git('other', 'config', name, value);
    for (const concurrency of ['1', '2']) {
      const found = await failure(['worker', '--concurrency', concurrency], project.url);
      expect(found).toMatchObject({ exitCode: 2, code: 'queue.remote-secret' });
      expect(JSON.stringify(found)).not.toContain(value);
    }
    sandbox.git('other', 'config', '--unset', name);
  });

  it.each(rows(2, COMMANDS))(
    '%s: nothing answers at the URL, and the password is not repeated',
    async (_line, args) => {
      sandbox.git('other', 'config', 'remote.origin.url', sandbox.path('nowhere.git'));
      const found = await failure(args, 'postgres://me:secret@127.0.0.1:1/none');
      expect(found).toMatchObject({ exitCode: 3, code: 'store.unreachable' });
      expect(found.message).not.toContain('secret');
    },
  );

  it.each([
    ['password', 'store.denied'],
    ['pathname', 'store.no-database'],
    ['protocol', 'store.bad-url'],
  ] as const)('the %s of the URL is wrong', async (part, code) => {
    const url = new URL(project.url);
    const wrong = part === 'protocol' ? url.href.replace('postgres:', 'mysql:') : undefined;
    if (part !== 'protocol') url[part] = 'wrong';
    expect(await failure(['worker'], wrong ?? url.href)).toMatchObject({ code });
  });

  it('there is no queue in the database yet', async () => {
    const found = await failure(['queue', 'list'], empty.url);
    expect(found).toMatchObject({ exitCode: 2, code: 'queue.not-initialized' });
    // Nothing but `queue init` creates one.
    const schemas = "SELECT nspname FROM pg_namespace WHERE nspname IN ('guardkit_queue', 'guardkit_dbos')";
    expect(await queryPostgres(empty.url, schemas)).toEqual([]);
  });

  further('the remote cannot be pushed to, and the project is not set up', async () => {
    const found = await failure(['queue', 'init'], project.url);
    expect(found).toMatchObject({ exitCode: 3, code: 'queue.push-refused' });
    expect(await project.sql('SELECT project FROM guardkit_queue.project')).toEqual([
      { project: 'calc-1234' },
    ]);
    for (const concurrency of ['1', '2'])
      expect(await failure(['worker', '--concurrency', concurrency], project.url)).toMatchObject({
        exitCode: 2,
        code: 'queue.unknown-project',
      });
  });

  it.each(
    rows(1, [
      [99, 'queue.newer-schema'],
      [0, 'queue.old-schema'],
    ]),
  )('the tables have version %s', async (version, code) => {
    const [known] = await project.sql('SELECT version FROM guardkit_queue.schema_version');
    await project.sql('UPDATE guardkit_queue.schema_version SET version = $1', [version]);
    for (const args of [['queue', 'workers'], ['queue', 'list'], ['worker'], ['run', '--workers', '2']])
      expect(await failure(args, project.url)).toMatchObject({ exitCode: 3, code });
    if (code === 'queue.newer-schema')
      expect(await failure(['queue', 'init'], project.url)).toMatchObject({ exitCode: 3, code });
    const [after] = await project.sql('SELECT version FROM guardkit_queue.schema_version');
    expect(after).toEqual({ version });
    await project.sql('UPDATE guardkit_queue.schema_version SET version = $1', [known?.version]);
  });

  it('a worker of another GuardKit version is alive', async () => {
    await project.sql(`INSERT INTO guardkit_queue.worker (id, host, pid, version, projects, concurrency, beat_at)
      VALUES ('newer', 'elsewhere', 7, '99.0.0', '{calc-1234}', 1, now() + interval '1 hour')`);
    const found = await project.queue('worker', '--concurrency', '1');
    expect(found.exitCode).toBe(3);
    expect(JSON.parse(found.stdout)).toMatchObject({
      error: { code: 'queue.other-version', message: expect.stringContaining('elsewhere') },
    });
    await project.sql('DELETE FROM guardkit_queue.worker');
  });

  further('another machine recorded what this version does not know', async () => {
    await project.sql(`SELECT guardkit_queue.append('calc-1234', '', 0, '', 'elsewhere', 0, '', 'newer',
      '[{"kind": "from_the_future", "body": "{}", "key": null}]')`);
    for (const args of [
      ['worker', '--concurrency', '1'],
      ['queue', 'list'],
    ]) {
      const { stdout, exitCode } = await project.queue(...args);
      expect(exitCode).toBe(3);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'queue.newer-entry' } });
    }
    // It never ends up in the chain of a machine, so that an upgrade can read it.
    const remove = `ALTER TABLE guardkit_queue.entry DISABLE TRIGGER USER;
      DELETE FROM guardkit_queue.entry WHERE kind = 'from_the_future';
      ALTER TABLE guardkit_queue.entry ENABLE TRIGGER USER;
      UPDATE guardkit_queue.project SET number = number - 1, hash = coalesce((SELECT e.hash FROM guardkit_queue.entry e
        WHERE e.project = project.project ORDER BY e.number DESC LIMIT 1), repeat('0', 64))`;
    await project.sql(remove);
    expect(await project.queueJson('ledger', 'verify', '--all')).toMatchObject({ shared: { ok: true } });
  });
});

describe('[MANY-2] the queue of a project', () => {
  it('has each open feature once, with what it waits for', async () => {
    const added = await project.queueJson(
      'queue',
      'add',
      'FEAT-B',
      'FEAT-A',
      '--priority',
      '1',
      '--budget-usd',
      '5',
    );
    expect(added).toMatchObject({ added: ['FEAT-B', 'FEAT-A'], present: [] });
    expect(await project.queueJson('queue', 'add', 'FEAT-A')).toMatchObject({
      added: [],
      present: ['FEAT-A'],
    });
    const { items } = await project.queueJson<{ items: unknown[] }>('queue', 'list');
    expect(items).toMatchObject([
      { feature: 'FEAT-B', state: 'waiting', needs: ['FEAT-A'], priority: 1, budget_usd: 5 },
      { feature: 'FEAT-A', state: 'waiting', needs: [] },
    ]);
  });

  it('gives up a feature that is cancelled, and takes it again', async () => {
    await project.queueJson('queue', 'cancel', 'FEAT-A');
    expect(await project.states()).toMatchObject({ 'FEAT-A': 'cancelled' });
    const { stdout } = await project.guardkit(['queue', 'list'], {
      env: { GUARDKIT_DATABASE_URL: project.url },
    });
    expect(stdout).toMatch(/^ *waiting +FEAT-B .*FEAT-A \(cancelled\)$/m);
    const again = await project.queue('queue', 'cancel', 'FEAT-A');
    expect(JSON.parse(again.stdout)).toMatchObject({ error: { code: 'queue.not-queued' } });
    expect(await project.queueJson('queue', 'add', 'FEAT-A')).toMatchObject({ added: ['FEAT-A'] });
  });

  it('cancels the build of a worker that takes the feature at the same moment', async () => {
    await project.sql(`INSERT INTO guardkit_dbos.workflow_status (workflow_uuid, status) VALUES ('taken', 'PENDING');
      CREATE FUNCTION take() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.workflow := 'taken'; RETURN NEW; END $$;
      CREATE TRIGGER take BEFORE UPDATE ON guardkit_queue.item FOR EACH ROW WHEN (OLD.workflow IS NULL) EXECUTE FUNCTION take()`);
    await project.queueJson('queue', 'cancel', 'FEAT-A');
    const [workflow] = await project.sql(
      "SELECT status FROM guardkit_dbos.workflow_status WHERE workflow_uuid = 'taken'",
    );
    expect(workflow).toEqual({ status: 'CANCELLED' });
    await project.sql(`DROP TRIGGER take ON guardkit_queue.item; DROP FUNCTION take;
      DELETE FROM guardkit_dbos.workflow_status`);
    expect(await project.queueJson('queue', 'add', 'FEAT-A')).toMatchObject({ added: ['FEAT-A'] });
  });

  further('takes more after somebody merged the branch and deleted it', async () => {
    const { branch } = await project.queueJson<{ branch: string }>('queue', 'list');
    project.sandbox.git('remote.git', 'update-ref', '-d', `refs/heads/${branch}`);
    expect(await project.queueJson('queue', 'add', 'FEAT-A')).toMatchObject({ present: ['FEAT-A'] });
    project.write({ 'docs/notes.md': 'More.\n' });
    project.commit('Go on');
    expect(await project.queueJson('queue', 'add', 'FEAT-A')).toMatchObject({ present: ['FEAT-A'] });
    const { tip } = await project.queueJson<{ tip: string }>('queue', 'list');
    expect(tip).toBe(project.git('rev-parse', 'HEAD').trim());
    expect(project.sandbox.git('remote.git', 'rev-parse', branch).trim()).toBe(tip);
  });

  further('leaves commits on the branch that somebody else pushed there', async () => {
    const { branch, tip } = await project.queueJson<{ branch: string; tip: string }>('queue', 'list');
    const theirs = project.git('commit-tree', `${tip}^{tree}`, '-p', tip, '-m', 'Fix').trim();
    project.git('push', '--quiet', 'origin', `${theirs}:refs/heads/${branch}`);
    project.write({ 'docs/notes.md': 'Even more.\n' });
    project.commit('Go on');
    const { stdout, stderr } = await project.queue('queue', 'add', 'FEAT-A');
    expect(JSON.parse(stdout)).toMatchObject({ present: ['FEAT-A'] });
    expect(stderr).toContain(branch);
    expect(project.sandbox.git('remote.git', 'rev-parse', branch).trim()).toBe(theirs);
  });

  it('refuses a shallow clone, whose first commit is not known', async () => {
    project.sandbox.git('.', 'clone', '--quiet', '--depth', '1', `file://${project.remote}`, 'shallow');
    const found = await project.sandbox.failure(['queue', 'list'], {
      in: 'shallow',
      env: { GUARDKIT_DATABASE_URL: project.url },
    });
    expect(found).toMatchObject({ exitCode: 2, code: 'queue.shallow-clone' });
  });

  further('does not let a feature wait for one that a person completed meanwhile', async () => {
    const waiting = async () => {
      const { items } = await project.queueJson<{ items: { feature: string; needs: string[] }[] }>(
        'queue',
        'list',
      );
      return items.find(({ feature }) => feature === 'FEAT-B')?.needs;
    };
    expect(await waiting()).toEqual(['FEAT-A']);
    const ledger = openLedger({ path: join(project.sandbox.home, 'ledger.db') });
    const feature = featureSchema.parse({ id: 'FEAT-A', name: 'A', status: 'completed', closed: true });
    recordFeatures(ledger, 'calc-1234', { by: 'person', actor: 'guardkit', features: [feature] });
    ledger.close();
    await project.queueJson('queue', 'add', 'FEAT-B');
    expect(await waiting()).toEqual([]);
  });

  it('refuses an unknown feature and names a similar one', async () => {
    const { stdout } = await project.queue('queue', 'add', 'FEAT-AA');
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'run.unknown-feature', message: expect.stringContaining('FEAT-A') },
    });
  });

  further('refuses another repository with the same project id', async () => {
    const other = await QueueProject.create([documented('A')]);
    const own = other.url;
    other.url = project.url;
    const before = await project.sql('SELECT * FROM guardkit_queue.project');
    for (const args of [
      ['queue', 'init'],
      ['queue', 'list'],
      ['queue', 'add', 'FEAT-A'],
      ['worker', '--concurrency', '1'],
    ]) {
      const { stdout } = await other.queue(...args);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'queue.other-repository' } });
    }
    expect(await project.sql('SELECT * FROM guardkit_queue.project')).toEqual(before);
    other.url = own;
    await other.cleanup();
  });

  it('[MANY-1] names the machines whose own records can be checked only there', async () => {
    await project.sql(`SELECT guardkit_queue.append('calc-1234', '', 0, '', 'lost-machine', 7, 'its-head', 'lost',
      '[{"kind": "task_reset", "body": "{\\"task_id\\": \\"TASK-9\\", \\"by\\": \\"a\\", \\"reason\\": \\"b\\"}", "key": null}]')`);
    const found = await project.queueJson('ledger', 'verify', '--all');
    expect(found).toMatchObject({
      ok: true,
      shared: {
        ok: true,
        machines: expect.arrayContaining([{ machine: 'lost-machine', number: 7, here: false }]),
      },
    });
    const { stdout } = await project.guardkit(['ledger', 'verify', '--all'], {
      env: { GUARDKIT_DATABASE_URL: project.url },
    });
    expect(stdout).toContain('lost-machine');
  });

  further('a worker whose processes cannot start does not report success', async () => {
    await project.sql(`CREATE SCHEMA pooler;
      CREATE FUNCTION pooler.pg_backend_pid() RETURNS integer LANGUAGE sql AS 'SELECT 42'`);
    const url = new URL(project.url);
    url.searchParams.set('options', '-c search_path=pooler,pg_catalog');
    const { exitCode } = await project.guardkit(['worker', '--json'], {
      env: { GUARDKIT_DATABASE_URL: url.href },
    });
    expect(exitCode).toBe(1);
    expect(await project.sql('SELECT why FROM guardkit_queue.worker')).toEqual([]);
    await project.sql('DROP SCHEMA pooler CASCADE');
  });

  it('has no workers yet', async () => {
    expect(await project.queueJson('queue', 'workers')).toEqual({ workers: [] });
  });
});
