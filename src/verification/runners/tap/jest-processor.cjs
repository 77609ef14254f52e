'use strict';
// A results processor for jest that changes nothing and records the results in the format of jest's own JSON.
const LONGEST = 4000;

const question = {};
require('node:diagnostics_channel').channel('guardkit:tap').publish(question);
const { seal, next } = question.value;
delete require.cache[__filename];

// Not async: before jest 29 a promise is not awaited.
module.exports = (results) => {
  try {
    const report = JSON.stringify(brief(results));
    seal.give(() => report);
  } catch {
    // Safe: a record without a report is a fault, and jest must still return its own answer.
  }
  return next ? processWith(next, results) : results;
};

/** The project's own processor. */
function processWith(path, results) {
  try {
    const loaded = require(path);
    return (loaded.default ?? loaded)(results);
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM') throw error;
    const { href } = require('node:url').pathToFileURL(path);
    return import(href).then((loaded) => loaded.default(results));
  }
}

function brief(results) {
  return {
    runner: 'jest',
    wasInterrupted: results.wasInterrupted,
    numRuntimeErrorTestSuites: results.numRuntimeErrorTestSuites,
    faults: results.testResults.filter(isReplaced).map((file) => ({
      code: file.testExecError.code,
      file: file.testFilePath,
      message: file.testExecError.message,
    })),
    testResults: results.testResults.map((file) => ({
      name: file.testFilePath,
      status: (file.testExecError || file.failureMessage) && !isReplaced(file) ? 'failed' : 'passed',
      message: file.testExecError ? text(file.failureMessage ?? file.testExecError.message) : '',
      assertionResults: file.testResults.map((test) => ({
        ancestorTitles: test.ancestorTitles,
        title: test.title,
        status: test.status,
        failureMessages: test.failureMessages.slice(0, 1).map(text),
      })),
    })),
  };
}

/** Failed by our tap because of findings after the tests. */
function isReplaced(file) {
  return file.testExecError?.code === 'assertions-replaced';
}

function text(message) {
  return String(message).slice(0, LONGEST);
}
