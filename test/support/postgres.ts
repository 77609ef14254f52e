import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';
import * as z from 'zod';

export interface TestDatabase {
  url: string;
  cleanup(): Promise<void>;
}

const answerSchema = z.union([z.object({ url: z.string() }), z.object({ error: z.string() })]);

let server: Promise<string> | undefined;

/** The address of the run's PostgreSQL server, which this starts if no test needed it before. */
export function postgresUrl(): Promise<string> {
  server ??= askForServer();
  return server;
}

async function askForServer(): Promise<string> {
  const answer = answerSchema.parse(JSON.parse(await text(connect(inject('postgresPort'), '127.0.0.1'))));
  if ('url' in answer) return answer.url;
  throw new Error(`The PostgreSQL server for the tests could not be started: ${answer.error}`);
}

/** An empty database of its own, in the linguistic order of the server. */
export async function createDatabase(): Promise<TestDatabase> {
  const admin = await postgresUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Copying the template's files is slower here than writing its few pages through the log.
  await queryPostgres(admin, `CREATE DATABASE ${name} STRATEGY wal_log`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  // On a loaded machine many processes connect at once.
  url.searchParams.set('connect_timeout', '60');
  return {
    url: url.href,
    cleanup: async () => {
      await queryPostgres(admin, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** One statement over a connection of its own, beside whatever the store under test does. */
export async function queryPostgres(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=guardkit' });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql, values);
    return rows;
  } finally {
    await client.end();
  }
}
