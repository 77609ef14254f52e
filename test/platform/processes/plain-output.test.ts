import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { mayBeTerminal } from '../../../src/platform/processes/may-be-terminal.ts';
import { plainOutput } from '../../../src/platform/processes/plain-output.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = (): NodeJS.WritableStream => {
  throw new Error('nobody needs the stream');
};

it('text is written to a file completely and at once, without a stream', () => {
  const path = join(temporaryFolder(), 'out');
  const descriptor = openSync(path, 'w');
  const output = plainOutput(descriptor, never, never);
  expect(output.write('å')).toBe(true);
  output.write('b'.repeat(100_000));
  expect(readFileSync(path, 'utf8')).toBe(`å${'b'.repeat(100_000)}`);
  expect(Reflect.get(output, 'isTTY')).toBeUndefined();
  expect(mayBeTerminal(descriptor)).toBe(false);
  closeSync(descriptor);
});

it('who asks for more gets the stream, made once', () => {
  let made = 0;
  const output = plainOutput(
    1,
    () => {
      made += 1;
      return new PassThrough();
    },
    never,
  );
  const heard: unknown[] = [];
  output.on('finish', () => heard.push('finish'));
  output.once('drain', () => {});
  expect(made).toBe(1);
});

it('a failed write is reported', () => {
  const path = join(temporaryFolder(), 'out');
  closeSync(openSync(path, 'w'));
  const descriptor = openSync(path, 'r');
  const failures: unknown[] = [];
  plainOutput(descriptor, never, (error) => failures.push(error.code)).write('x');
  closeSync(descriptor);
  expect(failures).toEqual(['EBADF']);
});
