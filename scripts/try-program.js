// Has the program do what it is started for most often, in a project that is made for this.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const MAKES_LEDGER = 'guard list';

/**
 * `folder` is empty, or `prepares` only what has to be there before; `file` is the program's script, and `load` loads others.
 * `scripts/compile-program.js` says what the other options are.
 */
export async function tryProgram({ runCli, ...hook }, options) {
  if (!options.prepares) makeProject(options.folder);
  if (runCli) await tryCommands(runCli, options);
  else await tryHook(hook, options);
}

async function tryCommands(runCli, { folder, preparer, line }) {
  // What only the program with all commands can do is done by it before.
  if (preparer) runIn(folder, preparer);
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

function makeProject(folder) {
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

function runIn(folder, script, ...more) {
  const compile = fileURLToPath(new URL('compile-program.js', import.meta.url));
  const args = [compile, resolve(script), '--folder', folder, ...more];
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** What an agent does all day; for what is loaded beside the script, what it does now and then. */
async function tryHook(
  { runHook, processWorld, shared },
  { file, folder, prepares, preparer, rest, session, load },
) {
  process.env.GUARDKIT_HOME = join(folder, 'home');
  // What a hook does only once in a project is done in a process of its own: all code that ever ran is kept, and read at
  // every start.
  if (!prepares) {
    // As after `guardkit init`, without which a hook refuses everything.
    runIn(folder, preparer, '--line', MAKES_LEDGER);
    runIn(folder, file);
  }
  // Of this process there is nothing to read, and what reads it is compiled.
  processWorld().readInput();
  const told = { session_id: 'build', cwd: folder, permission_mode: 'default' };
  let loaded;
  const loadSession = () => {
    if (!rest || session === undefined)
      throw new Error('a harmless step of a session that nobody drives needs nothing of sessions');
    loaded ??= load(resolve(session), shared);
    return loaded;
  };
  for (const event of rest ? seldom(folder) : usual(folder, prepares ? 'first' : 'tool')) {
    let said = '';
    const world = {
      ...processWorld(),
      env: {
        GUARDKIT_HOME: join(folder, 'home'),
        CLAUDE_PROJECT_DIR: folder,
        CLAUDE_PID: String(process.ppid),
      },
      cwd: folder,
      readInput: () => JSON.stringify({ ...told, ...event }),
      stdout: () => {},
      stderr: (text) => {
        said += text;
      },
    };
    const exitCode = await runHook(['claude'], world, loadSession);
    if (exitCode !== 0) throw new Error(`guardkit hook claude failed:\n${said}`);
  }
  if (rest && session !== undefined && loaded === undefined)
    throw new Error('nothing of what the trial did needed the script for sessions');
}

function usual(folder, name) {
  const source = join(folder, 'a.js');
  return [
    { tool_name: 'Bash', tool_input: { command: 'npm test' } },
    { tool_name: 'Read', tool_input: { file_path: source } },
    { tool_name: 'Edit', tool_input: { file_path: source, old_string: 'a', new_string: 'b' } },
  ].flatMap((tool, index) => steps(`${name}-${index}`, tool));
}

function steps(tool_use_id, tool) {
  return ['PreToolUse', 'PostToolUse'].map((hook_event_name) => ({ ...tool, tool_use_id, hook_event_name }));
}

/** A session from its beginning to the next one, which is told what was learned of it. */
function seldom(folder) {
  const source = join(folder, 'a.js');
  const began = { hook_event_name: 'SessionStart', source: 'startup' };
  return [
    began,
    { hook_event_name: 'UserPromptSubmit', prompt: 'Build it.' },
    {
      hook_event_name: 'PreToolUse',
      tool_use_id: 'refused',
      tool_name: 'Write',
      tool_input: { file_path: '.guardkit/config.yaml', content: '' },
    },
    ...steps('edit', {
      tool_name: 'Edit',
      tool_input: { file_path: source, old_string: 'a', new_string: 'b' },
    }),
    { hook_event_name: 'Stop', stop_hook_active: false },
    {
      hook_event_name: 'UserPromptSubmit',
      prompt: 'No, that is wrong. Undo it and use the other file instead.',
    },
    { hook_event_name: 'SessionEnd', reason: 'exit' },
    began,
  ];
}

function sink(take) {
  return new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
}
