import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { judgeWrite } from '../../../src/orchestration/drivers/agent-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const status = {
  available: true as const,
  kind: 'bubblewrap' as const,
  program: '/usr/bin/bwrap',
  version: '0',
};

function prepare() {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, '.guardkit', 'logs'), { recursive: true });
  symlinkSync(outside, join(folder, 'out'));
  symlinkSync('src', join(folder, 'in'));
  symlinkSync('round', join(folder, 'round'));
  symlinkSync(join(outside, 'new.txt'), join(folder, 'dangling'));
  const policy = {
    writable: [folder, join(folder, '.guardkit', 'logs')],
    readOnly: [join(folder, '.guardkit')],
    hidden: [join(folder, 'hidden')],
    network: 'loopback' as const,
  };
  return { folder, outside, request: { folder, access: 'write' as const, sandbox: { status, policy } } };
}

it('a path in the folder may be written, and is returned resolved', () => {
  const { folder, request } = prepare();
  expect(judgeWrite('src/new/a.txt', request)).toEqual({ ok: true, path: join(folder, 'src/new/a.txt') });
  expect(judgeWrite(join(folder, 'in/a.txt'), request)).toEqual({
    ok: true,
    path: join(folder, 'src/a.txt'),
  });
});

it.each([
  '../a.txt',
  'src/../../a.txt',
  'out/a.txt',
  'dangling',
  '/etc/passwd',
  'out/../../a',
  '.',
  'src/..',
])('a path that leads out of the folder, or is the folder, may not be written: %s', (path) => {
  expect(judgeWrite(path, prepare().request)).toMatchObject({
    ok: false,
    code: expect.stringMatching(/^(outside|folder_itself)$/),
  });
});

it('a folder with the same name prefix is not inside', () => {
  const { folder, request } = prepare();
  expect(judgeWrite(`${folder}-other/a.txt`, request).ok).toBe(false);
});

it('paths that the sandbox protects are refused, except writable ones inside them', () => {
  const { request } = prepare();
  expect(judgeWrite('.guardkit/config.yaml', request)).toMatchObject({ ok: false, code: 'protected' });
  expect(judgeWrite('hidden/a', request)).toMatchObject({ ok: false, code: 'protected' });
  expect(judgeWrite('.guardkit/logs/a.log', request).ok).toBe(true);
});

it('links in a circle and a zero byte are refused', () => {
  const { request } = prepare();
  expect(judgeWrite('round/a', request)).toMatchObject({ ok: false, code: 'endless_links' });
  expect(judgeWrite('a\0b', request)).toMatchObject({ ok: false, code: 'zero_byte' });
});

it('a read-only role may write nothing', () => {
  const { request } = prepare();
  expect(judgeWrite('src/a.txt', { ...request, access: 'read' })).toMatchObject({
    ok: false,
    code: 'reads_only',
  });
});

it('a folder reached through a link is resolved', () => {
  const { folder, request } = prepare();
  const link = join(temporaryFolder(), 'link');
  symlinkSync(folder, link);
  writeFileSync(join(folder, 'a.txt'), '');
  expect(judgeWrite(join(link, 'a.txt'), { ...request, folder: link })).toEqual({
    ok: true,
    path: join(folder, 'a.txt'),
  });
});
