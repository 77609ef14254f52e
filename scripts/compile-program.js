// node scripts/compile-program.js SCRIPT [--folder FOLDER] [--preparer SCRIPT] [--line LINE] [--rest] [--session SCRIPT] [--snapshot]
// Has the program do what it is started for most often, and keeps the code that V8 compiled for it beside the script, where
// `src/load-script.ts` looks for it. With a folder it only makes a project there that is known already; so does the program
// with all commands, which is named as its preparer. With a line only that command is run. A script whose modules tell when
// they are evaluated is only run, and what they told is printed. For the rest of a script, what needs the rest is run, and
// only the code of what is loaded beside the script is kept: of its rest, and of the script for sessions. What a snapshot is
// made of, or loads later, has a name of its own; `scripts/compile-in-snapshot.cjs` has it compiled by what began with one.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Script } from 'node:vm';
import { tryProgram } from './try-program.js';
import { writeWhole } from './write-whole.js';

/** `begun` is a program that is loaded already, and the list of what it comes to load. */
export async function compileProgram(args, begun) {
  const text = { type: 'string' };
  const word = { type: 'boolean', default: false };
  const options = { folder: text, preparer: text, line: text, rest: word, session: text, snapshot: word };
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const file = resolve(positionals[0]);
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'guardkit-build-'));
  try {
    // As `src/load-script.ts` does it.
    Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
    const told = [];
    globalThis.__evaluated = told;
    const loaded = begun?.scripts ?? [];
    const load = (one, other) => loadScript(one, other, loaded);
    const program = begun?.program ?? load(file, (name, part) => load(join(dirname(file), name), part));
    if (values.rest) program.loadRest();
    await tryProgram(program, { ...values, file, folder, prepares: values.folder !== undefined, load });
    if (told.length > 0) process.stdout.write(JSON.stringify(told));
    else if (values.folder === undefined) {
      const kind = values.snapshot ? '-snapshot' : '';
      for (const one of loaded) if (values.rest === (one.file !== file)) keepCompiled(one, kind);
    }
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function loadScript(file, other, loaded) {
  const script = new Script(readFileSync(file, 'latin1'), { filename: file });
  loaded.push({ file, script });
  const module = { exports: {} };
  const address = pathToFileURL(file).href;
  script.runInThisContext()(module, createRequire(file), address, (name) => import(name), other);
  return module.exports;
}

function keepCompiled({ file, script }, kind) {
  const compiled = `${file}.${process.version}-${process.platform}-${process.arch}${kind}`;
  writeWhole(compiled, script.createCachedData());
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await compileProgram(process.argv.slice(2));
