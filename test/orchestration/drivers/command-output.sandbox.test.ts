import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { lastJsonObject, OutputLines } from '../../../src/orchestration/drivers/command-output.ts';

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

const answer = {
  decision: 'approved',
  feedback: 'Say "no" to {braces} and \\ too',
  criteria: { a: [1, { b: null }] },
};
const text = JSON.stringify(answer);

it.each([
  ['alone', text],
  ['in a fence', `Here it is:\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\nThat was it.`],
  ['after an example', `It looks like {"decision": "rejected"}. Mine:\n${text}`],
  ['after code', `function f() { return { a }; }\nif (x) {\n${text}`],
  ['after a brace that is never closed', `use { here "and a quote\n${text}`],
  ['after a string that is never closed', `{"decision: and\n${text}`],
  [
    'after half an answer',
    `{"decision": "approved", "criteria": {"a":\n${text}`.replace('"a":\n', '"a" x\n'),
  ],
  ['before words with braces', `${text}\nBye {you}!`],
  ['before a brace', `${text} {`],
])('finds an object %s', (_where, given) => {
  expect(lastJsonObject(given)).toEqual(answer);
});

it.each(['', 'nothing', '{', '}{', '{"a":}', '{"a": 1', "{'a': 1}", '[1, 2]', '{"a": tru}'])(
  'finds none in %j',
  (given) => {
    expect(lastJsonObject(given)).toBeUndefined();
  },
);

it('takes the last of several objects that has the given keys', () => {
  const events = [{ type: 'began' }, { decision: 'approved' }, { decision: 'rejected' }, { type: 'ended' }];
  const lines = events.map((event) => JSON.stringify(event)).join('\n');
  expect(lastJsonObject(lines, ['decision'])).toEqual({ decision: 'rejected' });
  expect(lastJsonObject(lines, ['verdict'])).toEqual({ type: 'ended' });
});

it('an object that is nested too deeply is ignored', () => {
  expect(lastJsonObject(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)).toBeUndefined();
});

it('finds any object behind any words, on a line of its own', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 4 })),
      fc.string(),
      (object, words) => {
        // The text before may end in the middle of an object.
        fc.pre(!words.includes('{'));
        expect(lastJsonObject(`${words}\n${JSON.stringify(object)}`)).toEqual(
          JSON.parse(JSON.stringify(object)),
        );
      },
    ),
  );
});

it('a hostile text of a million characters is scanned in time', () => {
  for (const piece of ['{', '{"a":', '{"a":[', '{"', '{"a":"\\', '{}', '{"a":{}}{', '["{'])
    expect(() => lastJsonObject(piece.repeat(1_000_000 / piece.length))).not.toThrow();
});
