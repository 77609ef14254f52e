// A reporter of node:test that shows nothing and keeps what happened, one JSON line an event.
import { createRequire } from 'node:module';

const seal = createRequire(import.meta.url)('./seal.cjs');
const KEPT = new Set(['test:pass', 'test:fail', 'test:plan', 'test:summary']);
const LONGEST = 4000;

/** A generator, since Node wants one; this one has nothing to show. */
export default async function* keepEvents(source) {
  // In a plain `node file.js` the tap could not know that there would be tests.
  const wanted = seal.start('node:test');
  const lines = [];
  if (wanted) seal.give(() => lines.join('\n'));
  for await (const { type, data } of source) {
    if (wanted && KEPT.has(type)) lines.push(JSON.stringify({ type, data: brief(data) }));
  }
}

function brief(data) {
  const { name, nesting, file, skip, todo, testNumber, count, counts, success } = data;
  const error = data.details?.error;
  return {
    name,
    nesting,
    file,
    skip,
    todo,
    testNumber,
    count,
    counts,
    success,
    type: data.details?.type,
    failureType: error?.failureType,
    message:
      error === undefined
        ? undefined
        : String(error.cause?.message ?? error.cause ?? error.message).slice(0, LONGEST),
  };
}
