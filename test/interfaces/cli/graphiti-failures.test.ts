import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/platform/open-sqlite.ts';
import { type CliResult, Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';
import { createDatabase } from '../../support/postgres.ts';
import { further } from '../../support/thorough.ts';

const boxes: Sandbox[] = [];
afterAll(() => {
  for (const box of boxes) box.cleanup();
});

function newSandbox(): Sandbox {
  const box = new Sandbox();
  boxes.push(box);
  return box;
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** The result of a command with --json: short, without a trace, and something outside that failed. */
function expectOutside({ stdout, stderr, exitCode }: CliResult, expected: string): void {
  expect(stderr).toMatch(/^✗ /);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(exitCode).toBe(3);
  expectFailure({ exitCode, ...JSON.parse(stdout).error }, expected);
}

describe.concurrent('a store that cannot be used', () => {
  it('is damaged: short error, and the file stays as it was [CLI-4]', async () => {
    const box = newSandbox();
    box.write('data/guardkit.db', Buffer.alloc(5000, 'not a database '));
    const before = digest(box.database);
    expectOutside(await box.program(['graphiti', 'status', '--json']), `store.corrupt ${box.database}`);
    expect(await box.json(['search', 'x'])).toMatchObject({ error: { code: 'store.corrupt' } });
    expect(digest(box.database)).toBe(before);
  });

  it('is another program’s: short error, and the file stays as it was [CLI-4]', async () => {
    const box = newSandbox();
    mkdirSync(box.home);
    const foreign = openSqlite(box.database);
    foreign.exec('CREATE TABLE theirs (a)');
    foreign.close();
    const before = digest(box.database);
    expectOutside(await box.graphiti(['seed', '--json']), 'store.foreign GUARDKIT_HOME');
    expect(digest(box.database)).toBe(before);
  });

  it('is newer: short error that says to upgrade [CLI-4]', async () => {
    const box = newSandbox();
    await box.graphiti(['seed']);
    const database = openSqlite(box.database);
    database.pragma('user_version = 99');
    database.close();
    expectOutside(await box.graphiti(['list', 'guards', '--json']), 'store.newer-schema 99');
  });

  further('is locked: waits a while, then says by whom, and reads go on meanwhile [CLI-4]', async () => {
    const box = newSandbox();
    await box.graphiti(['seed']);
    const before = await box.records();
    const other = openSqlite(box.database);
    try {
      other.exec('BEGIN IMMEDIATE');
      const write = box.program([
        'graphiti',
        'clear',
        '--group',
        'implementation_modes',
        '--confirm',
        '--json',
      ]);
      const read = await box.graphiti(['list', 'role_constraints']);
      expect(read.exitCode).toBe(0);
      expectOutside(await write, 'store.locked');
    } finally {
      other.close();
    }
    expect(await box.records()).toEqual(before);
  });

  it('lies in a data folder that is a file [CLI-4]', async () => {
    const box = newSandbox();
    const file = box.write('file', 'precious');
    const inFile = await box.graphiti(['status', '--json'], { env: { GUARDKIT_HOME: file } });
    expectOutside(inFile, `home.not-a-folder ${file} GUARDKIT_HOME`);
    const below = await box.guardkit(['graphiti', 'status'], { env: { GUARDKIT_HOME: `${file}/below` } });
    expect(below.exitCode).toBe(3);
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  it.skipIf(process.getuid?.() === 0)(
    'lies in a folder that may not be written (not as root) [CLI-4]',
    async () => {
      const box = newSandbox();
      mkdirSync(box.path('closed'));
      chmodSync(box.path('closed'), 0o500);
      const env = { GUARDKIT_HOME: box.path('closed') };
      const result = await box.program(['graphiti', 'seed', '--json'], { env });
      expectOutside(result, 'store.not-writable GUARDKIT_HOME');
    },
  );

  it('is made, with its folder, readable by its owner only', async () => {
    const box = newSandbox();
    const env = { GUARDKIT_HOME: undefined };
    const { stdout } = await box.program(['graphiti', 'status'], { env });
    expect(stdout).toContain(box.path('home', '.guardkit', 'guardkit.db'));
    const modes = await box.shell('stat -c %a $HOME/.guardkit $HOME/.guardkit/guardkit.db');
    expect(modes.stdout).toBe('700\n600\n');
  });
});

describe.concurrent('a PostgreSQL server', () => {
  const PASSWORD = 'hunter2secret';
  const closed = `postgres://me:${PASSWORD}@127.0.0.1:1/memory`;

  it.each([
    ['by the variable', closed, undefined],
    ['by config.yaml', undefined, closed],
    ['by the variable rather than config.yaml', closed, 'postgres://other@127.0.0.1:2/other'],
  ])(
    'that cannot be reached, named %s, is a short error without the password [SEC-2] [CLI-4]',
    async (...named) => {
      const [, variable, configured] = named;
      const box = newSandbox();
      box.repository('shop');
      if (configured) box.write('shop/.guardkit/config.yaml', `store:\n  url: ${configured}\n`);
      const run = (...more: string[]) =>
        box.graphiti(['status', ...more], {
          in: 'shop',
          env: { GUARDKIT_DATABASE_URL: variable },
        });
      const plain = await run('--json');
      expectOutside(
        plain,
        'store.unreachable postgres://me@127.0.0.1:1/memory ECONNREFUSED GUARDKIT_DATABASE_URL',
      );
      const verbose = await run('--verbose', '--json');
      expect(JSON.parse(verbose.stdout)).toMatchObject({ error: { code: 'store.unreachable' } });
      expect(JSON.stringify([plain, verbose])).not.toContain(PASSWORD);
    },
  );

  it.each([
    ['of another program', `mysql://me:${PASSWORD}@host/db`],
    ['that is no URL', `host=127.0.0.1 password=${PASSWORD}`],
    ['with an impossible port', `postgres://me:${PASSWORD}@127.0.0.1:99999/db`],
  ])('with an address %s is wrong use, told without the password [SEC-2]', async (_case, url) => {
    const box = newSandbox();
    const env = { GUARDKIT_DATABASE_URL: url };
    const result = await box.guardkit(['graphiti', 'search', 'x', '--verbose', '--json'], { env });
    expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'store.bad-url' } });
    expect(result.exitCode).toBe(2);
    expect(JSON.stringify(result)).not.toContain(PASSWORD);
  });

  it('serves every command like the file does [MEM-7]', async () => {
    const { url, cleanup } = await createDatabase();
    const box = newSandbox();
    const withServer = { env: { GUARDKIT_DATABASE_URL: url } };
    try {
      expect(await box.json(['seed'], withServer)).toMatchObject({ total: 11 });
      const found = await box.json(['search', 'ROLE-player', '--limit', '1'], withServer);
      expect(found.results).toMatchObject([{ score: 1, entity_id: 'ROLE-player' }]);
      const status = await box.graphiti(['status'], withServer);
      expect(status.stdout).toMatch(/^Backend: +PostgreSQL\nServer: +postgres:\/\//);
      const { password } = new URL(url);
      if (password !== '') expect(status.stdout).not.toContain(`:${password}@`);

      const moved = await box.shell(
        'GUARDKIT_DATABASE_URL="$SERVER" $GUARDKIT graphiti export | $GUARDKIT graphiti import - --json',
        { env: { SERVER: url } },
      );
      expect(JSON.parse(moved.stdout)).toEqual({ added: 11, unchanged: 0 });
    } finally {
      await cleanup();
    }
  });
});
