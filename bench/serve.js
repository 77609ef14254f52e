import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { importSources } from '../scripts/import-sources.js';
import { plainEnvironment } from './hook.js';
import { makeFeature } from './make-feature.js';

const PROGRAM = fileURLToPath(new URL('../dist/bin.cjs', import.meta.url));
const PROJECTS = 5;
const GUARDS = 50;
const FEATURES = 1_000;
const AT_ONCE = 20;
const PAGES = 20;
const GRAPH_NODES = 800;
const IDLE_MS = 10_000;
/** Eight seconds after its last work, V8 collects garbage once. */
const COLLECTED_MS = 12_000;
const TICK_MS = 10;

/** The resident process: its decisions, its memory, and a hook's whole time through its client. */
export async function measureServe(folder, { events = 10_000, decisions = 2_000, rounds = 60 } = {}) {
  const { findServer, hooksSocket, launcherPath, coldLauncherPath } = await importSources([
    'src/enforcement/broker/server-record.ts',
    'src/enforcement/install/hook-client.ts',
    'src/enforcement/install/hook-launcher.ts',
  ]);
  const home = join(folder, 'home');
  const dataFolder = join(folder, 'data');
  for (const one of [home, dataFolder]) mkdirSync(one, { recursive: true });
  const env = { ...plainEnvironment(), HOME: home, GUARDKIT_HOME: dataFolder };
  const projects = Array.from({ length: PROJECTS }, (_, n) => makeProject(join(folder, `shop-${n}`), env));
  const server = findServer(dataFolder);
  if (server?.noHooks !== '') throw new Error(`no server: ${server?.noHooks}`);
  const asks = projects.map((project) => asker(hooksSocket(dataFolder), { project, build: server.build }));
  try {
    const [first] = asks;
    for (const ask of asks) for (let n = 0; n < 100; n += 1) await ask(payloadFor(n));
    const sequential = [];
    const ticks = ticksOf(server.pid);
    for (let n = 0; n < decisions; n += 1) sequential.push(await first(payloadFor(n)));
    const cpuMs = ((ticksOf(server.pid) - ticks) * TICK_MS) / decisions;
    const together = [];
    for (let n = 0; n < decisions / 40; n += 1)
      together.push(
        ...(await Promise.all(
          Array.from({ length: AT_ONCE }, (_, at) => asks[at % PROJECTS](payloadFor(at))),
        )),
      );
    const starts = [];
    for (let n = 0; n < 20; n += 1)
      starts.push(await first({ hook_event_name: 'SessionStart', source: 'startup', session_id: `s-${n}` }));
    const stops = [];
    for (let n = 0; n < 20; n += 1) stops.push(await first(STOP));
    for (let n = 0; n < events; n += 1) await asks[(n >> 1) % PROJECTS](payloadFor(n));
    const afterMb = memoryOf(server.pid);
    for (let n = 0; n < events; n += 1) await asks[(n >> 1) % PROJECTS](payloadFor(n));
    const laterMb = memoryOf(server.pid);
    await delay(COLLECTED_MS);
    const before = ticksOf(server.pid);
    await delay(IDLE_MS);
    const idleCpu = ((ticksOf(server.pid) - before) * TICK_MS) / IDLE_MS;
    const client = measureClients(projects[0], env, rounds, {
      warm: launcherPath(dataFolder),
      cold: coldLauncherPath(dataFolder),
    });
    // Last, since it leaves threads behind for a minute.
    const paged = await whilePaged(env, async () => {
      const times = [];
      for (let n = 0; n < decisions; n += 1) times.push(await first(payloadFor(n)));
      return times;
    });
    return {
      decision: { ...figures(sequential), cpuMs },
      paged: figures(paged),
      together: figures(together),
      sessionStart: figures(starts),
      stop: figures(stops),
      events,
      afterMb,
      laterMb,
      idleCpu,
      client,
    };
  } finally {
    spawnSync(process.execPath, [PROGRAM, 'serve', '--stop'], { env, cwd: home });
  }
}

const TOOLS = [
  { tool_name: 'Read', tool_input: { file_path: 'src/index.js' } },
  { tool_name: 'Edit', tool_input: { file_path: 'src/index.js', old_string: 'one', new_string: 'two' } },
  { tool_name: 'Bash', tool_input: { command: 'npm test' } },
];

const STOP = { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' };

/** While the same process serves the dashboard: open pages, and one that has graphs drawn and features listed again and again. */
async function whilePaged(env, work) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'ui', '--json'], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const { origin, hash } = new URL(JSON.parse(stdout).url);
  const body = JSON.stringify({ ticket: hash.slice('#ticket='.length) });
  const { session } = await (await fetch(`${origin}/api/session`, { method: 'POST', body })).json();
  const ended = new AbortController();
  const read = (path) =>
    fetch(`${origin}/api/${path}`, { headers: { 'x-guardkit-session': session }, signal: ended.signal });
  const { projects } = await (await read('projects')).json();
  const project = encodeURIComponent(projects[0].id);
  const streams = await Promise.all(Array.from({ length: PAGES }, () => read(`events?project=${project}`)));
  const reading = Promise.all(
    ['architecture', 'features'].map(async (name) => {
      while (!ended.signal.aborted) await (await read(`${name}?project=${project}`)).text();
    }),
  ).catch(() => {});
  try {
    return await work();
  } finally {
    ended.abort();
    await reading;
    await Promise.all(streams.map(({ body: stream }) => stream.cancel().catch(() => {})));
  }
}

/** Every use of a tool begins and ends. */
function payloadFor(n) {
  const use = n >> 1;
  return {
    hook_event_name: n % 2 === 0 ? 'PreToolUse' : 'PostToolUse',
    ...TOOLS[use % TOOLS.length],
    tool_use_id: `use-${use}`,
    ...(n % 2 === 0 ? {} : { tool_response: {} }),
  };
}

function makeProject(root, env) {
  for (const name of ['.guardkit/guards', '.claude/progress', '.maestro', 'src'])
    mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, 'src', 'index.js'), 'export const one = 1;\n'.repeat(200));
  writeFileSync(join(root, 'package.json'), '{"scripts": {"test": "node --test"}}\n');
  for (let n = 0; n < GUARDS; n += 1)
    writeFileSync(
      join(root, '.guardkit', 'guards', `guard-${n}.yaml`),
      `id: guard-${n}\nsummary: Tool ${n} is not used.\ncommands:\n  - {program: tool-${n}}\npaths: ['tool-${n}/**']\nreason: Use another tool.\nguidance: See the list of tools.\n`,
    );
  const nodes = Array.from(
    { length: GRAPH_NODES },
    (_, n) => `  "part-${n}" [type="component", description="Part ${n}", status="current"];`,
  );
  const edges = nodes.slice(1).map((_, n) => `  "part-${n + 1}" -> "part-${n >> 2}" [relation="uses"];`);
  writeFileSync(
    join(root, '.maestro', 'knowledge.dot'),
    ['digraph knowledge {', ...nodes, ...edges, '}', ''].join('\n'),
  );
  const git = (...args) => execFileSync('git', args, { cwd: root, env });
  git('init', '-q');
  const { status, stderr } = spawnSync(
    process.execPath,
    [PROGRAM, 'init', '--yes', '--no-try', '--agent', 'claude'],
    { cwd: root, env, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  git('add', '-A');
  git('-c', 'user.name=b', '-c', 'user.email=b@example.invalid', 'commit', '-qm', 'Begin');
  const features = Array.from({ length: FEATURES }, (_, n) => makeFeature(n));
  writeFileSync(join(root, '.claude', 'progress', 'feature-list.json'), JSON.stringify({ features }));
  const settings = JSON.parse(readFileSync(join(root, '.claude', 'settings.local.json'), 'utf8'));
  return { root: realpathSync(root), prefix: settings.env.CLAUDE_CODE_SHELL_PREFIX };
}

/** Asks as the client does, without the time that a client takes to start. */
function asker(socket, { project, build }) {
  const env = {
    ...plainEnvironment(),
    CLAUDE_PROJECT_DIR: project.root,
    CLAUDE_CODE_SHELL_PREFIX: project.prefix,
    CLAUDE_PID: String(process.pid),
  };
  return (payload) => {
    const own = { build, cwd: project.root, parent: process.pid, event: randomUUID() };
    const body = [
      ...Object.entries(own).map(([name, value]) => `=${name}=${value}`),
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
      '',
      JSON.stringify({ session_id: 'bench', cwd: project.root, permission_mode: 'default', ...payload }),
    ].join('\0');
    const head = `POST /claude HTTP/1.1\r\nHost: guardkit\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const began = performance.now();
    return new Promise((resolve, reject) => {
      let answer = '';
      const connection = connect(socket);
      connection.on('error', reject);
      connection.on('data', (chunk) => {
        answer += chunk;
      });
      connection.on('end', () => {
        if (/^(?:HTTP\/1\.1 1.*\r\n\r\n)*HTTP\/1\.1 200 /.test(answer)) resolve(performance.now() - began);
        else reject(new Error(answer.slice(0, 200)));
      });
      connection.write(head + body);
    });
  };
}

/**
 * Whole processes, alternating: the client, a script with jq, and a bare Node. Then the cold launcher, alone: what another
 * process writes to the ledger, the resident one has to read again. The client and the cold launcher each have a session
 * whose uses of tools begin and end, with a stop after every third.
 */
function measureClients({ root, prefix }, env, rounds, { warm, cold }) {
  const own = {
    ...env,
    CLAUDE_PROJECT_DIR: root,
    CLAUDE_CODE_SHELL_PREFIX: prefix,
    CLAUDE_PID: String(process.pid),
  };
  const contestants = {
    warm: [warm, ['claude']],
    jq: [
      '/bin/bash',
      ['-c', 'jq -e ".tool_input.file_path // \\"\\" | test(\\"secret\\") | not" >/dev/null'],
    ],
    node: [process.execPath, ['-e', '0']],
    cold: [cold, ['claude']],
  };
  const alone = ['cold'];
  const together = Object.keys(contestants).filter((name) => !alone.includes(name));
  const uses = 2 * TOOLS.length;
  const payloads = [...Array.from({ length: uses }, (_, n) => payloadFor(n)), STOP];
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (const names of [together, alone])
    for (let n = 0; n < rounds + payloads.length; n += 1)
      for (const name of names) {
        const [command, args] = contestants[name];
        const payload = payloads[n % payloads.length];
        const input = JSON.stringify({ session_id: name, cwd: root, ...payload });
        const began = performance.now();
        const { status } = spawnSync(command, args, { cwd: root, env: own, input });
        if (status !== 0) throw new Error(`${name} ended with ${status}`);
        const ms = performance.now() - began;
        if (n >= payloads.length) times[name].push({ event: payload.hook_event_name, ms });
      }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, byEvent(list)]));
}

/** Of all events, and of each kind. */
function byEvent(list) {
  const events = [...new Set(list.map(({ event }) => event))];
  const of = (event) => figures(list.filter((one) => one.event === event).map(({ ms }) => ms));
  return {
    ...figures(list.map(({ ms }) => ms)),
    ...Object.fromEntries(events.map((event) => [event, of(event)])),
  };
}

function figures(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99), samples: sorted.length };
}

function memoryOf(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

function ticksOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-serve-'));
  try {
    const [events = 10_000, decisions = 2_000, rounds = 60] = process.argv.slice(2).map(Number);
    console.log(JSON.stringify(await measureServe(folder, { events, decisions, rounds }), null, 2));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
