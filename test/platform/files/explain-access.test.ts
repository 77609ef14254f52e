import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explainAccess } from '../../../src/platform/files/explain-access.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const denied = (path: string, code = 'EACCES') =>
  Object.assign(new Error(`${code}: permission denied, open '${path}'`), { code, path });

it('a path that the system refuses access to is named with the command that opens it', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'closed'));
  writeFileSync(join(folder, 'file'), '');
  const file = explainAccess(denied(join(folder, 'file')));
  expect(file).toMatchObject({ code: 'file.no-access', kind: 'outside' });
  expect(file?.hint).toContain(`'${join(folder, 'file')}'`);
  expect(explainAccess(denied(join(folder, 'closed/hidden/config.yaml'), 'EPERM'))?.hint).toContain(
    `'${join(folder, 'closed')}'`,
  );
});

it.each(['EROFS', 'ENOSPC', 'EDQUOT'])('a file that cannot be written is not called a bug: %s', (code) => {
  const found = explainAccess(denied('/shop/.claude/settings.json', code));
  expect(found).toMatchObject({ code: 'file.not-written', kind: 'outside' });
  expect(found?.message).toContain('/shop/.claude');
  expect(explainAccess(Object.assign(denied('/shop', code), { syscall: 'watch' }))).toBeUndefined();
});

it.each([[new Error('no')], [denied('/x', 'ENOENT')], ['EACCES'], [undefined]])(
  'another error is left as it is: %s',
  (error) => expect(explainAccess(error)).toBeUndefined(),
);
