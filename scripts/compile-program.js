// node scripts/compile-program.js SCRIPT
// Runs what the program is started for most often, and keeps the code that V8 compiled for it beside the script, where
// `src/bin.ts` looks for it.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

const file = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'guardkit-build-'));
try {
  // As `src/bin.ts` does it.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const script = new Script(readFileSync(file, 'latin1'), { filename: file });
  const module = { exports: {} };
  script.runInThisContext()(module, createRequire(file), pathToFileURL(file).href, (name) => import(name));
  await useProgram(module.exports);

  const compiled = `${file}.${process.version}-${process.platform}-${process.arch}`;
  const temporary = `${compiled}.${process.pid}.tmp`;
  writeFileSync(temporary, script.createCachedData());
  renameSync(temporary, compiled);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function useProgram({ runCli, runHook }) {
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(folder, '.guardkit', 'config'), { recursive: true });
  writeFileSync(join(folder, '.guardkit', 'config.yaml'), 'project: build\n');
  writeFileSync(
    join(folder, '.guardkit', 'config', 'entity-overrides.yaml'),
    'role_constraints:\n  coach:\n    must_do_additions: [Be kind]\n',
  );
  if (runHook) return useHook(runHook);
  for (const args of [
    ['graphiti', 'seed'],
    ['config', 'explain', 'roles', 'coach'],
    ['config', 'explain', 'gates', '--type', 'feature', '--complexity', '5'],
  ]) {
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

/** What an agent does all day. */
async function useHook(runHook) {
  const session = { session_id: 'build', cwd: folder, permission_mode: 'default' };
  const command = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'tool-1' };
  const read = { tool_name: 'Read', tool_input: { file_path: join(folder, 'a.js') }, tool_use_id: 'tool-2' };
  for (const payload of [
    { ...session, hook_event_name: 'SessionStart' },
    ...[command, read].flatMap((tool) => [
      { ...session, ...tool, hook_event_name: 'PreToolUse' },
      { ...session, ...tool, hook_event_name: 'PostToolUse' },
    ]),
  ]) {
    let said = '';
    const exitCode = await runHook(['claude'], {
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
