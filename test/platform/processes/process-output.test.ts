import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ProcessOutput } from '../../../src/platform/processes/process-output.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const EURO = Buffer.from('€');

it('shows both streams in the order of their arrival', () => {
  const output = new ProcessOutput(100, undefined);
  output.add('stdout', Buffer.from('one '));
  output.add('stderr', Buffer.from('two '));
  output.add('stdout', Buffer.from('three'));
  expect(output.finish()).toMatchObject({ stdout: 'one three', stderr: 'two ', tail: 'one two three' });
});

it('keeps a character whole if its bytes arrive separately, even with the other stream in between', () => {
  const path = join(temporaryFolder(), 'log');
  const output = new ProcessOutput(100, { path, maxBytes: 100 });
  output.add('stdout', EURO.subarray(0, 2));
  output.add('stderr', Buffer.from('mid'));
  output.add('stdout', EURO.subarray(2));
  expect(output.finish()).toMatchObject({ stdout: '€', stderr: 'mid', tail: 'mid€' });
  expect(readFileSync(path, 'utf8')).toBe('mid€');
});

it('has the last 8 kB as its tail', () => {
  const output = new ProcessOutput(10, undefined);
  for (let count = 0; count < 1000; count++) output.add('stdout', Buffer.from(`${'.'.repeat(99)}\n`));
  output.add('stderr', Buffer.from('last'));
  const { tail, outputBytes } = output.finish();
  expect(outputBytes).toBe(100_004);
  expect(tail.length).toBe(8192);
  expect(tail.endsWith('\nlast')).toBe(true);
});
