#!/usr/bin/env node
import { existsSync } from 'node:fs';

const entry = new URL('../dist/bin.js', import.meta.url);
if (existsSync(entry)) {
  await import(entry.href);
} else {
  process.stderr.write(
    'guardkit is not built: dist/ is missing.\nRun `npm ci` in the guardkit folder; it builds the program.\n',
  );
  process.exitCode = 3;
}
