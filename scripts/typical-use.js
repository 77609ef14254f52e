// Typical uses of the program, in a small project.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';

/** Each task gets the exports of the bundle and a folder; `command` and `hook` use the project that `prepare` creates there. */
export const typicalUse = {
  async prepare(program, folder) {
    makeProject(folder);
    await runCommands(program, folder, [
      ['graphiti', 'seed'],
      ['feature', 'add', 'People can build it', '--criterion', 'it is built'],
    ]);
    await runHooks(program, folder, toolSteps(folder, 'first'));
  },

  command: (program, folder) =>
    runCommands(program, folder, [
      ['config', 'explain', 'roles', 'coach'],
      ['config', 'explain', 'gates', '--type', 'feature', '--complexity', '5'],
      ['feature', 'next'],
      ['guard', 'list'],
    ]),

  hook: (program, folder) => runHooks(program, folder, toolSteps(folder, 'tool')),
};

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

async function runCommands({ runCli }, folder, lines) {
  for (const args of lines) {
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

async function runHooks({ processContext, runHook }, folder, events) {
  process.env.GUARDKIT_HOME = join(folder, 'home');
  // There is no input; the call only gets the function compiled.
  processContext().readInput();
  const common = { session_id: 'build', cwd: folder, permission_mode: 'default' };
  for (const event of events) {
    let complaints = '';
    const exitCode = await runHook(['claude'], {
      ...processContext(),
      env: {
        GUARDKIT_HOME: join(folder, 'home'),
        CLAUDE_PROJECT_DIR: folder,
        CLAUDE_PID: String(process.ppid),
      },
      cwd: folder,
      readInput: () => JSON.stringify({ ...common, ...event }),
      stdout: () => {},
      stderr: (text) => {
        complaints += text;
      },
    });
    if (exitCode !== 0) throw new Error(`guardkit hook claude failed:\n${complaints}`);
  }
}

function toolSteps(folder, name) {
  const source = join(folder, 'a.js');
  return [
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
}

function sink(take) {
  return new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
}
