'use strict';
// A results processor of jest that changes nothing and keeps the results, in the shape of jest's own JSON.
const LONGEST = 4000;

const question = {};
require('node:diagnostics_channel').channel('guardkit:tap').publish(question);
const { seal, next } = question.value;
delete require.cache[__filename];

module.exports = async (results) => {
  try {
    const report = JSON.stringify(brief(results));
    seal.give(() => report);
  } catch {
    // Safe: a record without a report is a fault, and jest must still give its own answer.
  }
  return next ? (await processorOf(next))(results) : results;
};

/** The project's own. */
async function processorOf(path) {
  try {
    const loaded = require(path);
    return loaded.default ?? loaded;
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM') throw error;
    return (await import(require('node:url').pathToFileURL(path).href)).default;
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

/** Failed by our tap, for what it found after the tests. */
function isReplaced(file) {
  return file.testExecError?.code === 'assertions-replaced';
}

function text(message) {
  return String(message).slice(0, LONGEST);
}
