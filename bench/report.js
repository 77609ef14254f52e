import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os';
import { QUERY_KINDS } from './queries.js';
import { find } from './targets.js';

const LABELS = {
  upsert: 'upsert (new)',
  unchanged: 'upsert (unchanged)',
  get: 'get by id',
  latest: 'latest turn',
  search: 'search (mixed)',
};

export function describeMachine() {
  return {
    cpus: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    platform: `${platform()} ${arch()}`,
    node: process.version,
    load: loadavg()[0],
    peers: { 'server-memory': version('@modelcontextprotocol/server-memory'), mem0ai: version('mem0ai') },
  };
}

export function printReport({ machine, figures, targets, contestants }) {
  const { cpus: count, cpu, platform: system, node, load, peers } = machine;
  console.log(`\n${count} × ${cpu}, ${system}, Node ${node}, load ${load.toFixed(1)} at the start`);
  console.log(
    `server-memory ${peers['server-memory']} (its class, in process), mem0ai ${peers.mem0ai} (infer: false, trivial embedder)`,
  );
  console.log('Milliseconds, p50 / p95; in brackets how many times faster GuardKit is at p50.\n');
  printTable(mainTable(figures, contestants));

  console.log('\nSearch by kind of query\n');
  printTable(kindTable(figures, contestants));

  const reasons = figures.filter(({ unable }) => unable);
  const lines = reasons.map(
    ({ contestant, operation, unable }) => `— ${contestant}, ${LABELS[operation]}: ${unable}`,
  );
  for (const line of new Set(lines)) console.log(`\n${line}`);

  console.log('\nTargets\n');
  printTable(
    targets.map(({ target, measured, unit, met }) => [
      met ? 'met' : 'MISSED',
      target,
      `${format(measured)} ${unit}`,
    ]),
  );
}

function mainTable(figures, contestants) {
  const rows = [];
  for (const operation of Object.keys(LABELS)) {
    for (const size of sizesOf(figures)) {
      const ours = find(figures, 'GuardKit', operation, size);
      const cells = contestants.map((name) =>
        cell(find(figures, name, operation, size), name === 'GuardKit' ? undefined : ours),
      );
      rows.push([LABELS[operation], `${size / 1000}k`, ...cells]);
    }
  }
  return [['', 'episodes', ...contestants], ...rows];
}

function kindTable(figures, contestants) {
  const searching = contestants.filter((name) =>
    figures.some((one) => one.contestant === name && one.byKind),
  );
  const rows = [];
  for (const kind of QUERY_KINDS) {
    for (const size of sizesOf(figures)) {
      const ofKind = (name) => find(figures, name, 'search', size)?.byKind?.[kind];
      const cells = searching.map((name) =>
        cell(ofKind(name), name === 'GuardKit' ? undefined : ofKind('GuardKit')),
      );
      rows.push([kind, `${size / 1000}k`, ...cells]);
    }
  }
  return [['', 'episodes', ...searching], ...rows];
}

function cell(figure, ours) {
  if (figure?.p50 === undefined) return '—';
  const ratio = ours ? ` (${format(figure.p50 / ours.p50)}×)` : '';
  return `${format(figure.p50)} / ${format(figure.p95)}${ratio}`;
}

function sizesOf(figures) {
  return [...new Set(figures.map(({ size }) => size))].sort((a, b) => a - b);
}

function format(value) {
  return value >= 100
    ? value.toFixed(0)
    : value >= 10
      ? value.toFixed(1)
      : value >= 1
        ? value.toFixed(2)
        : value.toFixed(3);
}

function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      row
        .map((text, column) => text.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

function version(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8'))
    .version;
}
