import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KIND = {
  label: 'test database',
  applicationId: 7,
  migrations: ['CREATE TABLE lines (text TEXT)'],
  synchronous: 'NORMAL',
} as const;

/** Another process, such as a person's `sqlite3`. It removes the log if no lock shows another connection. */
const WRITER = `
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("INSERT INTO lines VALUES ('theirs')")
database.commit()
database.close()
`;

it('opening a database again in one process releases no lock of its other connections', () => {
  const path = join(temporaryFolder(), 'lines.db');
  const first = openDatabase(path, KIND);
  onTestFinished(() => void first.close());
  first.exec("INSERT INTO lines VALUES ('ours')");
  openDatabase(path, KIND).close();
  execFileSync('python3', ['-c', WRITER, path]);
  expect(existsSync(`${path}-wal`)).toBe(true);
  first.exec("INSERT INTO lines VALUES ('ours again')");
  const second = openDatabase(path, KIND);
  onTestFinished(() => void second.close());
  expect(second.prepare('SELECT text FROM lines').pluck().all()).toEqual(['ours', 'theirs', 'ours again']);
});
