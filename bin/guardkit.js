#!/usr/bin/env node
'use strict';
const { existsSync } = require('node:fs');

// CommonJS (see bin/package.json), because Node starts it faster than a module.
const entry = `${__dirname}/../dist/bin.cjs`;
if (typeof process.getBuiltinModule !== 'function') {
  // Older versions of Node cannot load the program at all.
  process.stderr.write(
    `guardkit needs Node 20 (20.19 or newer) or 22.12 and newer; this is Node ${process.versions.node}.\n` +
      'Install one of them, then run `guardkit doctor --fix` with it, so that the hooks use it too.\n',
  );
  process.exitCode = 3;
} else if (existsSync(entry)) {
  require(entry);
} else {
  process.stderr.write(
    'guardkit is not built: dist/ is missing.\nRun `npm ci` in the guardkit folder; it builds the program.\n',
  );
  process.exitCode = 3;
}
