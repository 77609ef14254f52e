import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const PROGRAM = fileURLToPath(new URL('../dist/bin.cjs', import.meta.url));
const WARM_UP = 300;
const SAMPLE_EVERY = 10;
const CALLS = 1_000;
const LOG_LINES = 50_000;

/** A thousand calls of one server: the time of each, and the growth of its memory. */
export async function measureMcp(folder) {
  const root = join(folder, 'mcp');
  prepare(root);
  const client = new Client({ name: 'bench', version: '1' });
  const env = { PATH: process.env.PATH, HOME: folder, GUARDKIT_HOME: join(folder, 'mcp-home') };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    cwd: root,
    env,
  });
  const began = performance.now();
  await client.connect(transport);
  const startMs = performance.now() - began;
  try {
    const { tools } = await client.listTools();
    const times = new Map();
    const memory = [];
    const round = async (count, keep) => {
      for (let number = 0; number < count; number++) {
        const [name, input] = callOf(number);
        const start = performance.now();
        await client.callTool({ name, arguments: input });
        if (!keep) continue;
        times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
        if (number % SAMPLE_EVERY === 0) memory.push(residentBytes(transport.pid));
      }
    };
    await round(WARM_UP, false);
    await round(CALLS, true);
    // Garbage collection is unpredictable, so compare the medians of the first and the last quarter.
    const quarter = Math.floor(memory.length / 4);
    const before = middle(memory.slice(0, quarter));
    const after = middle(memory.slice(-quarter));
    const p50 = Object.fromEntries([...times].map(([name, all]) => [name, middle(all)]));
    const listTokens = Math.round(JSON.stringify(tools).length / 4);
    return { startMs, listTokens, calls: CALLS, beforeMb: before / 1e6, afterMb: after / 1e6, ...p50 };
  } finally {
    await client.close();
  }
}

/** All tools that start no program, including wrong calls. */
function callOf(number) {
  const calls = [
    ['next_action', {}],
    ['knowledge_query', { text: 'store' }],
    ['knowledge_update', node(number)],
    ['knowledge_update', { operation: 'add_node', name: 'Wrong Name', type: 'thing' }],
    ['query_logs', { path: 'logs/app.log', contains: ['request 7'], limit: 5 }],
    ['query_logs', { path: 'logs/app.log', show: 'group' }],
    ['search_memory', { query: 'request store' }],
    ['query_traces', { text: 'tested' }],
    ['feature_update', { id: 'FEAT-1', notes: `note ${number}` }],
    ['extract_patterns', {}],
  ];
  return calls[number % calls.length];
}

function node(number) {
  return {
    operation: 'add_node',
    name: `node-${number}`,
    ...{ type: 'component', level: 'implementation', status: 'current', description: `Number ${number}` },
  };
}

function prepare(root) {
  mkdirSync(join(root, 'logs'), { recursive: true });
  mkdirSync(join(root, '.guardkit'));
  mkdirSync(join(root, '.claude', 'progress'), { recursive: true });
  writeFileSync(join(root, '.guardkit', 'config.yaml'), 'project: bench\n');
  writeFileSync(
    join(root, '.claude', 'progress', 'feature-list.json'),
    JSON.stringify({ features: [{ id: 'FEAT-1', description: 'One', status: 'pending', tested: false }] }),
  );
  const lines = Array.from(
    { length: LOG_LINES },
    (_, n) => `2026-11-15T10:00:00Z INFO request ${n} took ${n % 90}ms`,
  );
  writeFileSync(join(root, 'logs', 'app.log'), lines.join('\n'));
  const git = (...args) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init', '--quiet');
  git('add', '-A');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', 'commit', '--quiet', '-m', 'begin');
}

function middle(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function residentBytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

// node bench/mcp.js
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-bench-'));
  try {
    for (const [name, value] of Object.entries(await measureMcp(folder)))
      console.log(`${name}  ${Number(value.toPrecision(3))}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
