import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform } from 'node:os';
import { join } from 'node:path';
import { summarize } from './measure.js';

export function describeMachine(folder) {
  return {
    cpus: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    platform: `${platform()} ${arch()}`,
    node: process.version,
    fsyncMs: measureFsync(join(folder, 'fsync')),
    peers: { 'server-memory': version('@modelcontextprotocol/server-memory'), mem0ai: version('mem0ai') },
  };
}

/** The cost for a peer each time it waits for the disk. */
function measureFsync(path) {
  const file = openSync(path, 'w');
  const times = Array.from({ length: 50 }, () => {
    const start = performance.now();
    writeSync(file, 'x'.repeat(4096));
    fsyncSync(file);
    return { ms: performance.now() - start };
  });
  closeSync(file);
  return summarize(times).p50;
}

function version(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8'))
    .version;
}
