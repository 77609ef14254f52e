'use strict';
const { dirname } = require('node:path');
const { fileURLToPath } = require('node:url');

const TAP = dirname(__dirname);

/** The file that creates a test and those that called it, as far as the stack shows them. */
function callingFiles() {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack } = new Error('for its stack');
  Error.stackTraceLimit = stackTraceLimit;
  const paths = String(stack)
    .split('\n')
    .slice(1)
    .map((line) => pathOf(/\(?((?:file:\/\/)?\/[^()]*?):\d+:\d+\)?$/.exec(line)?.[1]))
    .filter((path) => path !== undefined && !/[\\/]node_modules[\\/]/.test(path) && !path.startsWith(TAP));
  return paths.length > 0 ? paths : [process.argv[1]];
}

function pathOf(place) {
  return place?.startsWith('file:') ? fileURLToPath(place) : place;
}

/** One process runs all files, and only tests of selected ones count. */
function isSelected(files, select) {
  return select === undefined || files.some((file) => select.includes(file));
}

module.exports = { callingFiles, isSelected };
