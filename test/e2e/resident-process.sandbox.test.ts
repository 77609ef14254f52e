import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { hooksFolder, hooksSocket, serverFile } from '../../src/enforcement/install/hook-client.ts';
import { coldLauncherPath, launcherPath } from '../../src/enforcement/install/hook-launcher.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { bubblewrap } from '../support/bubblewrap.ts';
import { Sandbox } from '../support/cli.ts';
import { WrappedAgent } from '../support/wrapped-agent.ts';

let sandbox: Sandbox;
let agent: WrappedAgent;
let prefix: string;
let actions = 0;

beforeEach(async (context) => {
  await bubblewrap(context);
  if (!existsSync('/usr/bin/perl')) context.skip('perl is not installed');
  sandbox = new Sandbox();
  sandbox.repository('shop');
  mkdirSync(hooksFolder(sandbox.home), { recursive: true, mode: 0o700 });
  const { exitCode } = await sandbox.guardkit(['init', '--yes', '--no-try', '--agent', 'claude'], {
    in: 'shop',
  });
  expect(exitCode).toBe(0);
  sandbox.git('shop', 'add', '-A');
  sandbox.git('shop', 'commit', '-q', '-m', 'Set up GuardKit');
  const settings = readFileSync(sandbox.path('shop', '.claude', 'settings.local.json'), 'utf8');
  prefix = JSON.parse(settings).env.CLAUDE_CODE_SHELL_PREFIX;
  agent = new WrappedAgent(sandbox, 'shop');
  expect(await agent.startBroker()).toBe(true);
  await expect.poll(() => existsSync(serverFile(sandbox.home))).toBe(true);
  onTestFinished(() => {
    agent.endBrokers('SIGKILL');
    sandbox.cleanup();
  });
});
afterEach(() => agent?.endBrokers('SIGKILL'));

function event(tool_name: string, tool_input: object, hook_event_name = 'PreToolUse') {
  actions += 1;
  const cwd = sandbox.path('shop');
  return { session_id: 's', cwd, hook_event_name, tool_name, tool_input, tool_use_id: `action-${actions}` };
}

const FORBIDDEN = () =>
  event('Write', { file_path: sandbox.path('shop', '.guardkit', 'config.yaml'), content: '' });
const ALLOWED = () => event('Read', { file_path: sandbox.path('shop', 'a.js') });

function environment(): NodeJS.ProcessEnv {
  const cwd = sandbox.path('shop');
  return { ...sandbox.env, CLAUDE_PROJECT_DIR: cwd, CLAUDE_CODE_SHELL_PREFIX: prefix };
}

/** As the agent starts its hook. */
function hook(payload: object, launcher = launcherPath(sandbox.home)) {
  const { status, stdout, stderr } = spawnSync(launcher, ['claude'], {
    cwd: sandbox.path('shop'),
    env: environment(),
    input: JSON.stringify(payload),
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

function decision({ stdout }: { stdout: string }): string | undefined {
  return stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput?.permissionDecision;
}

function query(sql: string): unknown[] {
  const ledger = openLedger({ path: join(sandbox.home, 'ledger.db') });
  try {
    return ledger.file.database.prepare(sql).pluck().all();
  } finally {
    ledger.close();
  }
}

const owners = () =>
  query('SELECT owner FROM event_claims ORDER BY at').map((one) => String(one).split(' ')[0]);
const judged = () => query("SELECT count(*) FROM entries WHERE kind = 'action_judged'")[0];

it('answers hooks as the cold launcher does, and enters the same into the ledger', () => {
  for (const make of [ALLOWED, FORBIDDEN]) {
    const payload = make();
    const before = Number(judged());
    const warm = hook(payload);
    const between = Number(judged());
    const cold = hook({ ...payload, session_id: 'other' }, coldLauncherPath(sandbox.home));
    expect(warm).toEqual(cold);
    expect(between - before).toBe(Number(judged()) - between);
  }
  expect(new Set(owners())).toEqual(new Set(['resident']));
});

it('answers payloads larger than a pipe takes, on both ways', () => {
  const content = 'x'.repeat(3_000_000);
  const payload = event('Write', { file_path: sandbox.path('shop', '.guardkit', 'config.yaml'), content });
  expect(decision(hook(payload))).toBe('deny');
  agent.endBrokers('SIGKILL');
  expect(decision(hook({ ...payload, tool_use_id: 'later' }))).toBe('deny');
});

it('leaves the answer to the cold launcher after kill -9, and is started again by the next session', async () => {
  expect(decision(hook(FORBIDDEN()))).toBe('deny');
  agent.endBrokers('SIGKILL');
  expect(decision(hook(FORBIDDEN()))).toBe('deny');
  expect(decision(hook(ALLOWED()))).toBeUndefined();
  expect(hook(event('', {}, 'SessionStart')).status).toBe(0);
  await expect.poll(() => agent.brokers()).toHaveLength(1);
  await expect.poll(() => existsSync(serverFile(sandbox.home))).toBe(true);
  const before = owners().length;
  expect(decision(hook(FORBIDDEN()))).toBe('deny');
  expect(owners().slice(before)).toEqual(['resident']);
});

it('is asked in vain while it is stopped: the event is decided once, and nothing that it writes later counts', async () => {
  const [server = 0] = agent.brokers();
  process.kill(server, 'SIGSTOP');
  const before = Number(judged());
  expect(decision(hook(FORBIDDEN()))).toBe('deny');
  expect(Number(judged())).toBe(before + 1);
  process.kill(server, 'SIGCONT');
  // By then the late event, which came first, is through.
  expect(decision(hook(FORBIDDEN()))).toBe('deny');
  expect(Number(judged())).toBe(before + 2);
});

it('is not believed if another process has taken its socket', async () => {
  agent.endBrokers('SIGKILL');
  await expect.poll(() => agent.brokers()).toHaveLength(0);
  const known = readFileSync(serverFile(sandbox.home), 'utf8');
  rmSync(hooksSocket(sandbox.home), { force: true });
  const impostor = createServer((connection) => {
    connection.on('error', () => {});
    connection.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n0 0\n');
  });
  impostor.listen(hooksSocket(sandbox.home));
  await once(impostor, 'listening');
  onTestFinished(() => void impostor.close());
  for (const text of [known, `${process.pid} 1 \n`, 'nonsense\n']) {
    writeFileSync(serverFile(sandbox.home), text);
    expect(decision(await hookBeside(FORBIDDEN()))).toBe('deny');
  }
});

it('cannot be reached by wrapped commands', async () => {
  const program = `require('node:net').connect('hooks.sock').on('connect', () => process.exit(0)).on('error', (error) => { console.log(error.code); process.exit(1); })`;
  expect(hook(event('Bash', { command: 'ls' })).status).toBe(0);
  const wrapped = spawnSync(
    prefix,
    [`cd ${hooksFolder(sandbox.home)} && '${process.execPath}' -e "${program}"`],
    {
      cwd: sandbox.path('shop'),
      env: environment(),
      encoding: 'utf8',
    },
  );
  expect(wrapped).toMatchObject({ status: 1, stdout: 'ENOENT\n' });
});

it('takes no part where no sandbox holds the agent', () => {
  const { CLAUDE_CODE_SHELL_PREFIX: _, ...env } = environment();
  const { status, stdout } = spawnSync(launcherPath(sandbox.home), ['claude'], {
    cwd: sandbox.path('shop'),
    env,
    input: JSON.stringify(FORBIDDEN()),
    encoding: 'utf8',
  });
  expect(decision({ stdout })).toBe('deny');
  expect(status).toBe(0);
  expect(owners()).toEqual([]);
});

/** Without blocking this process, which is the other side. */
async function hookBeside(payload: object): Promise<{ stdout: string }> {
  const child = spawn(launcherPath(sandbox.home), ['claude'], {
    cwd: sandbox.path('shop'),
    env: environment(),
  });
  child.stdin.end(JSON.stringify(payload));
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  await once(child, 'close');
  return { stdout };
}
