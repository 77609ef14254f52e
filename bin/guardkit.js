#!/usr/bin/env node
'use strict';
const { existsSync } = require('node:fs');

// A script and no module, which Node starts faster: the package.json beside it says so.
const entry = `${__dirname}/../dist/bin.cjs`;
if (typeof process.getBuiltinModule !== 'function') {
  // Without it the program does not even come to say this.
  process.stderr.write(
    `guardkit needs Node 20 from 20.19 on, or 22.12 or newer; this is Node ${process.versions.node}.\n` +
      'Start it with such a Node: `guardkit doctor --fix` then has the hooks use it too.\n',
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
