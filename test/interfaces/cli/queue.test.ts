import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliFailure, Sandbox } from '../../support/cli.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { documented, QueueProject } from '../../support/queue-project.ts';

let project: QueueProject;
beforeAll(async () => {
  project = await QueueProject.create([documented('A'), documented('B', { needs: ['FEAT-A'] })]);
  await project.queueJson('queue', 'init');
});
afterAll(() => project.cleanup());

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

  it.each([
    ['queue init', ['queue', 'init']],
    ['queue add', ['queue', 'add', 'FEAT-A']],
    ['queue list', ['queue', 'list']],
    ['queue cancel', ['queue', 'cancel', 'FEAT-A']],
    ['queue workers', ['queue', 'workers']],
    ['worker', ['worker']],
    ['run --workers', ['run', '--workers', '2']],
  ])('%s: no server is named', async (_line, args) => {
    expect(await failure(args)).toMatchObject({ exitCode: 2, code: 'queue.no-server' });
  });

  it('the clone has no remote', async () => {
    const found = await failure(['queue', 'init'], project.url);
    expect(found).toMatchObject({ exitCode: 2, code: 'queue.no-remote' });
  });

  it('the URL is wrong, and the message does not repeat the password', async () => {
    sandbox.git('other', 'remote', 'add', 'origin', sandbox.path('nowhere.git'));
    const found = await failure(['queue', 'list'], 'postgres://me:secret@127.0.0.1:1/none');
    expect(found).toMatchObject({ exitCode: 3, code: 'store.unreachable' });
    expect(found.message).not.toContain('secret');
  });

  it('there is no queue in the database yet', async () => {
    const found = await failure(['queue', 'list'], empty.url);
    expect(found).toMatchObject({ exitCode: 2, code: 'queue.not-initialized' });
  });

  it('the remote cannot be pushed to, and the project is not set up', async () => {
    const found = await failure(['queue', 'init'], project.url);
    expect(found).toMatchObject({ exitCode: 3, code: 'queue.push-refused' });
    expect(await project.sql('SELECT project FROM guardkit_queue.project')).toEqual([
      { project: 'calc-1234' },
    ]);
    expect(await failure(['worker', '--concurrency', '1'], project.url)).toMatchObject({
      exitCode: 2,
      code: 'queue.unknown-project',
    });
  });

  it.each([
    [0, 'queue.old-schema'],
    [99, 'queue.newer-schema'],
  ])('the tables have version %s', async (version, code) => {
    const [known] = await project.sql('SELECT version FROM guardkit_queue.schema_version');
    await project.sql('UPDATE guardkit_queue.schema_version SET version = $1', [version]);
    expect(await failure(['queue', 'workers'], project.url)).toMatchObject({ exitCode: 3, code });
    await project.sql('UPDATE guardkit_queue.schema_version SET version = $1', [known?.version]);
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
    const again = await project.queue('queue', 'cancel', 'FEAT-A');
    expect(JSON.parse(again.stdout)).toMatchObject({ error: { code: 'queue.not-queued' } });
    expect(await project.queueJson('queue', 'add', 'FEAT-A')).toMatchObject({ added: ['FEAT-A'] });
  });

  it('refuses an unknown feature and names a similar one', async () => {
    const { stdout } = await project.queue('queue', 'add', 'FEAT-AA');
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'run.unknown-feature', message: expect.stringContaining('FEAT-A') },
    });
  });

  it('refuses another repository with the same project id', async () => {
    const other = await QueueProject.create([documented('A')]);
    const own = other.url;
    other.url = project.url;
    const { stdout } = await other.queue('queue', 'list');
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'queue.other-repository' } });
    other.url = own;
    await other.cleanup();
  });

  it('has no workers yet', async () => {
    expect(await project.queueJson('queue', 'workers')).toEqual({ workers: [] });
  });
});
