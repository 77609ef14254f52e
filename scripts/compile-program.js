// node scripts/compile-program.js SCRIPT [--folder FOLDER] [--preparer SCRIPT] [--line LINE] [--rest plain|snapshot]
// Runs what the program is started for most often, and keeps the code that V8 compiled for it beside the script, where
// `src/load-script.ts` looks for it. With a folder it only makes a project there that is known
// already; so does the program with all commands, which is named as its preparer. With a line only that command is run. A
// script whose modules tell when they are evaluated is only run, and what they told is printed. For the rest of a script, what
// needs the rest is run, and only its code is kept, under the name of those that begin with nothing or with a snapshot.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Script } from 'node:vm';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(
    ['folder', 'preparer', 'line', 'rest'].map((name) => [name, { type: 'string' }]),
  ),
});
const MAKES_LEDGER = 'guard list';
const file = resolve(positionals[0]);
const { folder: given, preparer, line, rest } = values;
const folder = given ?? mkdtempSync(join(tmpdir(), 'guardkit-build-'));
try {
  // As `src/load-script.ts` does it.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const told = [];
  globalThis.__evaluated = told;
  const loaded = [];
  const load = (one, other) => {
    const script = new Script(readFileSync(one, 'latin1'), { filename: one });
    loaded.push({ file: one, script });
    const module = { exports: {} };
    const address = pathToFileURL(one).href;
    script.runInThisContext()(module, createRequire(one), address, (name) => import(name), other);
    return module.exports;
  };
  const program = load(file, (name, part) => load(join(dirname(file), name), part));
  if (rest !== undefined) program.loadRest();
  await useProgram(program);
  if (told.length > 0) process.stdout.write(JSON.stringify(told));
  else if (given === undefined)
    keepCompiled(loaded[rest === undefined ? 0 : 1], rest === 'snapshot' ? '-snapshot' : '');
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}

function keepCompiled({ file, script }, kind) {
  const compiled = `${file}.${process.version}-${process.platform}-${process.arch}${kind}`;
  const temporary = `${compiled}.${process.pid}.tmp`;
  writeFileSync(temporary, script.createCachedData());
  renameSync(temporary, compiled);
}

async function useProgram({ runCli, ...hook }) {
  if (given === undefined) makeProject();
  if (!runCli) return useHook(hook);
  // What only the program with all commands can do is done by it before.
  if (preparer) runIn(preparer);
  const prepare = [
    ['graphiti', 'seed'],
    ['feature', 'add', 'People can build it', '--criterion', 'it is built'],
  ];
  const usual = [
    ['config', 'explain', 'roles', 'coach'],
    ['config', 'explain', 'gates', '--type', 'feature', '--complexity', '5'],
    ['feature', 'next'],
    MAKES_LEDGER.split(' '),
  ].filter((args) => line === undefined || args.slice(0, 2).join(' ') === line);
  for (const args of preparer || line === MAKES_LEDGER ? usual : [...prepare, ...usual]) {
    let complaints = '';
    const exitCode = await runCli(args, {
      cwd: folder,
      env: { GUARDKIT_HOME: join(folder, 'home') },
      stdin: Readable.from([]),
      stdout: sink(() => {}),
      stderr: sink((text) => {
        complaints += text;
      }),
      findPerson: () => ({ present: false, why: 'this is a build' }),
    });
    if (exitCode !== 0) throw new Error(`guardkit ${args.join(' ')} failed:\n${complaints}`);
  }
}

function makeProject() {
  writeFileSync(join(folder, 'a.js'), 'const a = 1;\n');
  writeFileSync(join(folder, 'package.json'), '{"scripts": {"test": "node --test"}}\n');
  for (const name of ['src', '.git/hooks', '.git/objects/info', '.git/refs/heads'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git', 'config'), '[core]\n\tbare = false\n');
  writeFileSync(join(folder, '.git', 'hooks', 'pre-commit.sample'), '#!/bin/sh\n');
  mkdirSync(join(folder, '.guardkit', 'config'), { recursive: true });
  writeFileSync(join(folder, '.guardkit', 'config.yaml'), 'project: build\n');
  writeFileSync(
    join(folder, '.guardkit', 'config', 'entity-overrides.yaml'),
    'role_constraints:\n  coach:\n    must_do_additions: [Be kind]\n',
  );
}

function runIn(script, ...more) {
  const args = [fileURLToPath(import.meta.url), script, '--folder', folder, ...more];
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** What an agent does all day. */
async function useHook({ runHook, processWorld }) {
  process.env.GUARDKIT_HOME = join(folder, 'home');
  // What a hook does only once in a project is done in a process of its own: all code that ever ran is kept, and read at
  // every start.
  if (given === undefined) {
    // As after `guardkit init`, without which a hook refuses everything.
    runIn(preparer, '--line', MAKES_LEDGER);
    runIn(file);
  }
  // Of this process there is nothing to read, and what reads it is compiled.
  processWorld().readInput();
  const session = { session_id: 'build', cwd: folder, permission_mode: 'default' };
  const source = join(folder, 'a.js');
  const name = given === undefined ? 'tool' : 'first';
  const events = [
    { tool_name: 'Bash', tool_input: { command: 'npm test' } },
    { tool_name: 'Read', tool_input: { file_path: source } },
    { tool_name: 'Edit', tool_input: { file_path: source, old_string: 'a', new_string: 'b' } },
  ].flatMap((tool, index) =>
    ['PreToolUse', 'PostToolUse'].map((hook_event_name) => ({
      ...tool,
      tool_use_id: `${name}-${index}`,
      hook_event_name,
    })),
  );
  for (const event of rest === undefined ? events : seldom()) {
    let said = '';
    const world = {
      ...processWorld(),
      env: {
        GUARDKIT_HOME: join(folder, 'home'),
        CLAUDE_PROJECT_DIR: folder,
        CLAUDE_PID: String(process.ppid),
      },
      cwd: folder,
      readInput: () => JSON.stringify({ ...session, ...event }),
      stdout: () => {},
      stderr: (text) => {
        said += text;
      },
    };
    const exitCode = await runHook(['claude'], world, noSession);
    if (exitCode !== 0) throw new Error(`guardkit hook claude failed:\n${said}`);
  }
}

/** What the rest of the hooks' program is for. */
function seldom() {
  return [
    { hook_event_name: 'SessionStart', source: 'startup' },
    { hook_event_name: 'UserPromptSubmit', prompt: 'Build it.' },
    {
      hook_event_name: 'PreToolUse',
      tool_use_id: 'refused',
      tool_name: 'Write',
      tool_input: { file_path: '.guardkit/config.yaml', content: '' },
    },
    { hook_event_name: 'Stop', stop_hook_active: false },
  ];
}

function noSession() {
  throw new Error('a harmless step of a session that nobody drives needs nothing of sessions');
}

function sink(take) {
  return new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
}
