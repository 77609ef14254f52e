import { afterEach, beforeEach, expect, test } from 'vitest';
import { FIRST_COMMANDS } from '../../../src/interfaces/cli/program/describe-commands.ts';
import { Sandbox } from '../../support/cli.ts';

const MAX_SUMMARY = 60;

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = new Sandbox();
});

afterEach(() => sandbox.cleanup());

test('help shows the commands that people need first, in their order, one short line each', async () => {
  const { stdout } = await sandbox.guardkit(['--help']);
  const commands = stdout.slice(stdout.indexOf('Commands:')).split('\n').slice(1);
  const lines = commands.filter((line) => /^ {2}\S/.test(line)).map((line) => line.trim());
  const named = lines.map((line) => line.split(' ')[0]);
  expect(named).toEqual(FIRST_COMMANDS);
  for (const line of lines) expect(line.split(/ {2,}/).at(-1)?.length).toBeLessThanOrEqual(MAX_SUMMARY);
});

test('the version of the program is not taken for an option of a command', async () => {
  expect((await sandbox.guardkit(['--version'])).stdout.trim()).toMatch(/^\d+\.\d+\.\d+/);
  sandbox.repository('shop');
  const restore = await sandbox.guardkit(['restore', '--version', '3', '--json'], { in: 'shop' });
  expect(JSON.parse(restore.stdout)).toMatchObject({ error: { code: 'restore.no-version' } });
});
