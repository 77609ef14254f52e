#!/usr/bin/env node
'use strict';
const { existsSync } = require('node:fs');

// A script and no module, which Node starts faster: the package.json beside it says so.
const entry = `${__dirname}/../dist/bin.cjs`;
if (existsSync(entry)) {
  require(entry);
} else {
  process.stderr.write(
    'guardkit is not built: dist/ is missing.\nRun `npm ci` in the guardkit folder; it builds the program.\n',
  );
  process.exitCode = 3;
}
