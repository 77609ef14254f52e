// node scripts/compile-program.js BUNDLE prepare|command|hook FOLDER
// Runs typical uses of the program in a folder and stores the code that V8 compiled for them next to the bundle.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { typicalUse } from './typical-use.js';
import { writeWhole } from './write-whole.js';

const [file, task, folder] = process.argv.slice(2);

// The same steps as in `src/load-program.ts`.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
const script = new Script(readFileSync(file, 'latin1'), { filename: file });
const module = { exports: {} };
const importModule = (name) => import(name);
script.runInThisContext()(module, createRequire(file), pathToFileURL(file).href, importModule);

await typicalUse[task](module.exports, folder);

if (task !== 'prepare') {
  const compiled = script.createCachedData();
  const digest = createHash('sha256').update(compiled).digest();
  const cache = `${file}.${task}-${process.version}-${process.platform}-${process.arch}.cache`;
  writeWhole(cache, Buffer.concat([digest, compiled]));
}
