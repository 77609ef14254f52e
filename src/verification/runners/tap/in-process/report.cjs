'use strict';

const LONGEST = 4000;

/** The report of a runner, in the format of jest: `tests` have a file, a path of names, a status and a message. */
function reportOf(runner, tests, faults = []) {
  const files = new Map();
  for (const { file, path, status, message } of tests) {
    if (!files.has(file)) files.set(file, []);
    files.get(file).push({
      ancestorTitles: path.slice(0, -1),
      title: path.at(-1),
      status,
      failureMessages: message === undefined ? [] : [message],
    });
  }
  const testResults = [...files].map(([name, assertionResults]) => ({
    name,
    status: 'passed',
    message: '',
    assertionResults,
  }));
  return JSON.stringify({ runner, testResults, faults });
}

function messageOf(error) {
  return String(error?.message ?? error).slice(0, LONGEST);
}

module.exports = { messageOf, reportOf };
