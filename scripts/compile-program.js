// node scripts/compile-program.js SCRIPT [FOLDER] [PREPARER]
// Runs what the program is started for most often, and keeps the code that V8 compiled for it beside the script, where
// `src/load-script.ts` looks for it. With a folder it only makes a project there that is known
// already; so does another script that is named as its preparer. A script whose modules
// tell when they are evaluated is only run, and what they told is printed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';

const file = resolve(process.argv[2]);
const given = process.argv[3] || undefined;
const preparer = process.argv[4];
const folder = given ?? mkdtempSync(join(tmpdir(), 'guardkit-build-'));
try {
  // As `src/load-script.ts` does it.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const script = new Script(readFileSync(file, 'latin1'), { filename: file });
  const module = { exports: {} };
  const told = [];
  globalThis.__evaluated = told;
  script.runInThisContext()(module, createRequire(file), pathToFileURL(file).href, (name) => import(name));
  await useProgram(module.exports);
  if (told.length > 0) process.stdout.write(JSON.stringify(told));
  else if (given === undefined) keepCompiled(script);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}

function keepCompiled(script) {
  const compiled = `${file}.${process.version}-${process.platform}-${process.arch}`;
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
  ];
  for (const args of preparer ? usual : [...prepare, ...usual]) {
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
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(folder, '.guardkit', 'config'), { recursive: true });
  writeFileSync(join(folder, '.guardkit', 'config.yaml'), 'project: build\n');
  writeFileSync(
    join(folder, '.guardkit', 'config', 'entity-overrides.yaml'),
    'role_constraints:\n  coach:\n    must_do_additions: [Be kind]\n',
  );
}

function runIn(script) {
  const args = [fileURLToPath(import.meta.url), script, folder];
  execFileSync(process.execPath, args, { stdio: ['inherit', 'ignore', 'inherit'] });
}

/** As `guardkit init` does, without which a hook refuses everything. */
async function makeLedger() {
  const bundle = fileURLToPath(new URL(`../node_modules/.cache/ledger-${process.pid}.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(new URL('../src/store/ledger/open-ledger.ts', import.meta.url))],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  try {
    const { openLedger } = await import(pathToFileURL(bundle).href);
    openLedger({ path: join(folder, 'home', 'ledger.db') }).close();
  } finally {
    rmSync(bundle);
  }
}

/** What an agent does all day. */
async function useHook({ runHook, processWorld }) {
  process.env.GUARDKIT_HOME = join(folder, 'home');
  // What a hook does only once in a project is done in a process of its own: all code that ever ran is kept, and read at
  // every start.
  if (given === undefined) runIn(file);
  else await makeLedger();
  const session = { session_id: 'build', cwd: folder, permission_mode: 'default' };
  const source = join(folder, 'a.js');
  const tools = [
    { tool_name: 'Bash', tool_input: { command: 'npm test' } },
    { tool_name: 'Read', tool_input: { file_path: source } },
    { tool_name: 'Edit', tool_input: { file_path: source, old_string: 'a', new_string: 'b' } },
  ];
  for (const payload of tools.flatMap((tool, index) =>
    ['PreToolUse', 'PostToolUse'].map((hook_event_name) => ({
      ...session,
      ...tool,
      tool_use_id: `${given === undefined ? 'tool' : 'first'}-${index}`,
      hook_event_name,
    })),
  )) {
    let said = '';
    const exitCode = await runHook(['claude'], {
      ...processWorld(),
      env: { GUARDKIT_HOME: join(folder, 'home'), CLAUDE_PROJECT_DIR: folder },
      cwd: folder,
      readInput: () => JSON.stringify(payload),
      stdout: () => {},
      stderr: (text) => {
        said += text;
      },
    });
    if (exitCode !== 0) throw new Error(`guardkit hook claude failed:\n${said}`);
  }
}

function sink(take) {
  return new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
}
