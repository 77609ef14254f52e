// A stand-in for the agent program: calls the installed hooks and starts commands as Claude Code does.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.title = 'claude';
const session = randomUUID();
let project = '';
let prefix;
let hooks = {};

const agentEnv = () => ({
  ...process.env,
  CLAUDECODE: '1',
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  CLAUDE_CODE_SESSION_ID: session,
  CLAUDE_PID: String(process.pid),
  CLAUDE_PROJECT_DIR: project,
  ...(prefix === undefined ? {} : { CLAUDE_CODE_SHELL_PREFIX: prefix }),
});

process.on('message', async ({ id, ...message }) => {
  process.send?.({ id, result: await answer(message) });
});
process.on('disconnect', () => process.exit(0));

async function answer(message) {
  if (message.type === 'settings') {
    ({ project, prefix } = message);
    ({ hooks } = JSON.parse(readFileSync(join(project, '.claude', 'settings.local.json'), 'utf8')));
    return undefined;
  }
  if (message.type === 'write') return writeFileSync(message.path, message.content);
  if (message.type === 'run') return runCommand(message.command, message.env);
  return askHooks(message.payload);
}

/** Claude Code passes the prefix one argument, the quoted command. */
function runCommand(command, env) {
  const text = `eval '${command.replaceAll("'", "'\\''")}' < /dev/null`;
  const dates = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('GIT_')));
  const [program, args] =
    prefix === undefined
      ? ['/bin/bash', ['-c', text]]
      : ['/bin/bash', ['-c', `${prefix} "$1"`, 'bash', text]];
  return run(program, args, '', { ...agentEnv(), ...dates });
}

/** All hooks of an event that match the tool: with arguments, or as a shell line, as in the settings. */
async function askHooks(payload) {
  const input = JSON.stringify({
    session_id: session,
    cwd: project,
    permission_mode: 'acceptEdits',
    ...payload,
  });
  let last = { code: 0, stdout: '', stderr: '' };
  for (const { hooks: handlers } of hooks[payload.hook_event_name] ?? [])
    for (const { command, args } of handlers) {
      last = await run(args ? command : '/bin/sh', args ?? ['-c', command], input, agentEnv());
      if (last.code !== 0 || last.stdout !== '') return last;
    }
  return last;
}

function run(program, args, input, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: project, env });
    const result = { code: null, stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        result[name] += text;
      });
    // A program that refuses at once does not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ ...result, code: code ?? signal }));
  });
}
