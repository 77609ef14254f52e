import { expect, it } from 'vitest';
import { OutputLines } from '../../../src/orchestration/drivers/command-output.ts';

function listen() {
  const told: string[] = [];
  const clock = { ms: 0 };
  const lines = new OutputLines(
    (line) => told.push(line),
    () => clock.ms,
  );
  return { told, clock, lines };
}

it('reports lines as soon as they are complete, and the last one at the end', () => {
  const { told, lines } = listen();
  for (const part of ['re', 'ading\n\n  \nwri', 'ting\nlast']) lines.add(Buffer.from(part));
  expect(told).toEqual(['reading', 'writing']);
  lines.end();
  expect(told).toEqual(['reading', 'writing', 'last']);
});

it('keeps a character whole when its bytes arrive separately', () => {
  const { told, lines } = listen();
  const bytes = Buffer.from('für\n');
  lines.add(bytes.subarray(0, 2));
  lines.add(bytes.subarray(2));
  expect(told).toEqual(['für']);
});

it('limits the rate of lines and counts the rest', () => {
  const { told, clock, lines } = listen();
  lines.add(Buffer.from('line\n'.repeat(1000)));
  expect(told).toHaveLength(10);
  clock.ms = 1000;
  lines.add(Buffer.from('later\n'));
  expect(told.slice(10)).toEqual([expect.stringContaining('990'), 'later']);
});

it('keeps only the beginning of an endless line', () => {
  const { told, lines } = listen();
  for (let part = 0; part < 100; part++) lines.add(Buffer.alloc(65_536, 'x'));
  lines.end();
  expect(told).toEqual(['x'.repeat(1000)]);
});
