// A reporter for node:test that prints nothing and records the events, one JSON line each.
import { channel } from 'node:diagnostics_channel';

const KEPT = new Set(['test:pass', 'test:fail', 'test:plan', 'test:summary']);
const LONGEST = 4000;

/** Node requires a generator; this one prints nothing. */
export default async function* keepEvents(source) {
  const question = {};
  channel('guardkit:tap').publish(question);
  const seal = question.value;
  // In a plain `node file.js` the tap cannot know in advance that there are tests.
  seal?.start('node:test');
  const lines = [];
  seal?.give(() => lines.join('\n'));
  const errors = new Map();
  for await (const { type, data } of source) {
    if (type === 'test:stderr' && data.file !== undefined)
      errors.set(data.file, `${errors.get(data.file) ?? ''}${data.message}`.slice(-LONGEST));
    if (seal && KEPT.has(type)) lines.push(JSON.stringify({ type, data: brief(data, errors) }));
  }
}

function brief(data, errors) {
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
    message: error === undefined ? undefined : reason(error, errors.get(file)).slice(0, LONGEST),
  };
}

/** Of a file that does not load, Node says only that it failed; why is in the file's output. */
function reason(error, output) {
  const own = String(error.cause?.message ?? error.cause ?? error.message);
  return own === 'test failed' && output !== undefined ? `${own}\n${output}` : own;
}
