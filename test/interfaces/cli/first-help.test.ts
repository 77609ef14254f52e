import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeCommands, FIRST_COMMANDS } from '../../../src/interfaces/cli/program/describe-commands.ts';
import { Sandbox } from '../../support/cli.ts';

const WIDTH = 80;
const LONGEST_BESIDE = 30;

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = new Sandbox();
});

afterEach(() => sandbox.cleanup());

test('help shows the commands that people need first, in their order, one line each', async () => {
  const { stdout } = await sandbox.guardkit(['--help']);
  const commands = stdout.slice(stdout.indexOf('Commands:')).split('\n').slice(1);
  const lines = commands.slice(0, commands.indexOf(''));
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(FIRST_COMMANDS);
  expect(lines.filter((line) => line.length > WIDTH)).toEqual([]);
});

test('the list of all commands has each in one line of 80 columns, unless its arguments are long', () => {
  const lines = describeCommands(WIDTH).split('\n');
  expect(lines.filter((line) => line.length > WIDTH)).toEqual([]);
  const commands = lines.filter((line) => /^ {2}\S/.test(line));
  const alone = commands.map((line) => line.trim()).filter((line) => !/ {2}/.test(line));
  expect(alone.filter((term) => term.length <= LONGEST_BESIDE)).toEqual([]);
  expect(commands.length).toBeGreaterThan(alone.length);
});

test('the version of the program is not taken for an option of a command', async () => {
  expect((await sandbox.guardkit(['--version'])).stdout.trim()).toMatch(/^\d+\.\d+\.\d+/);
  sandbox.repository('shop');
  const restore = await sandbox.guardkit(['restore', '--version', '3', '--json'], { in: 'shop' });
  expect(JSON.parse(restore.stdout)).toMatchObject({ error: { code: 'restore.no-version' } });
});
