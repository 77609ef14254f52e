import { chmodSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DayGround, PERSON, PROGRAM } from './day-ground.ts';

const HOOK = 'hooks/pre-commit';

function withKeptHook(): DayGround {
  const ground = new DayGround();
  const file = ground.sandbox.write(`shop/${HOOK}`, 'echo mine\n');
  chmodSync(file, 0o755);
  ground.keep(HOOK);
  rmSync(file);
  return ground;
}

test('without a path it lists all kept versions, newest first, and needs no person', async () => {
  const ground = withKeptHook();
  writeFileSync(ground.file('other'), 'x');
  ground.keep('other');
  expect(await ground.json(['restore'])).toMatchObject({
    versions: [{ path: 'other' }, { path: HOOK, mode: 0o755 }],
  });
  const { stdout } = await ground.sandbox.guardkit(['restore'], PROGRAM);
  expect(stdout).toMatch(/^ +1 {2}.*other/m);
  expect(stdout).toMatch(/^ +2 {2}.*hooks\/pre-commit/m);
});

test('it shows a diff, asks, and brings content and mode back', async () => {
  const ground = withKeptHook();
  const { exitCode, stderr } = await ground.sandbox.guardkit(['restore', HOOK], { ...PERSON, input: 'y\n' });
  expect({ exitCode, asked: stderr.includes('+echo mine') }).toEqual({ exitCode: 0, asked: true });
  expect(readFileSync(ground.file(HOOK), 'utf8')).toBe('echo mine\n');
  expect(lstatSync(ground.file(HOOK)).mode & 0o777).toBe(0o755);
});

test('a newer edit is announced, kept, and brought back by the same command', async () => {
  const ground = withKeptHook();
  writeFileSync(ground.file(HOOK), 'echo newer\n');
  const { stderr } = await ground.sandbox.guardkit(['restore', HOOK], { ...PERSON, input: 'y\n' });
  expect(stderr).toContain('-echo newer');
  expect(readFileSync(ground.file(HOOK), 'utf8')).toBe('echo mine\n');
  expect(await ground.json(['restore', HOOK, '--yes'], PERSON)).toMatchObject({ restored: true });
  expect(readFileSync(ground.file(HOOK), 'utf8')).toBe('echo newer\n');
});

test('nothing changes without a yes, with --diff, with --dry-run, or without a person', async () => {
  const ground = withKeptHook();
  const before = ground.ledger.head('shop-4f2a')?.number;
  for (const [args, options, exitCode] of [
    [['restore', HOOK], { ...PERSON, input: 'n\n' }, 1],
    [['restore', HOOK, '--diff'], PERSON, 0],
    [['restore', HOOK, '--dry-run'], PROGRAM, 0],
    [['restore', HOOK, '--yes'], PROGRAM, 1],
  ] as const)
    expect((await ground.sandbox.guardkit(args, options)).exitCode).toBe(exitCode);
  expect(lstatSync(ground.file(HOOK), { throwIfNoEntry: false })).toBeUndefined();
  expect(ground.ledger.head('shop-4f2a')?.number).toBe(before);
});

test('--version chooses an older version, of one file or of the whole list', async () => {
  const ground = withKeptHook();
  ground.sandbox.write(`shop/${HOOK}`, 'echo second\n');
  ground.keep(HOOK);
  await ground.sandbox.guardkit(['restore', HOOK, '--version', '2', '--yes'], PERSON);
  expect(readFileSync(ground.file(HOOK), 'utf8')).toBe('echo mine\n');
  const tooHigh = await ground.json(['restore', HOOK, '--version', '9'], PERSON);
  expect(tooHigh).toMatchObject({ error: { code: 'restore.no-version' } });
});

test('accept --restore is the same command', async () => {
  const ground = withKeptHook();
  await ground.sandbox.guardkit(['accept', '--restore', HOOK], { ...PERSON, input: 'y\n' });
  expect(readFileSync(ground.file(HOOK), 'utf8')).toBe('echo mine\n');
});
