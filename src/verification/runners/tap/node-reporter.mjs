// A reporter of node:test that shows nothing and keeps what happened, one JSON line an event.
import { channel } from 'node:diagnostics_channel';

const KEPT = new Set(['test:pass', 'test:fail', 'test:plan', 'test:summary']);
const LONGEST = 4000;

/** A generator, since Node wants one; this one has nothing to show. */
export default async function* keepEvents(source) {
  const question = {};
  channel('guardkit:tap').publish(question);
  const seal = question.value;
  // In a plain `node file.js` the tap could not know that there would be tests.
  seal?.start('node:test');
  const lines = [];
  seal?.give(() => lines.join('\n'));
  for await (const { type, data } of source) {
    if (seal && KEPT.has(type)) lines.push(JSON.stringify({ type, data: brief(data) }));
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
