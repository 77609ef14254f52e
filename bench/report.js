import { QUERY_KINDS } from './queries.js';
import { find } from './targets.js';

const LABELS = {
  upsert: 'upsert (new)',
  unchanged: 'upsert (unchanged)',
  get: 'get by id',
  latest: 'latest turn',
  search: 'search (mixed)',
};

export function printReport({ machine, figures, targets, contestants }) {
  const { cpus: count, cpu, platform: system, node, fsyncMs, peers } = machine;
  console.log(`
${count} × ${cpu}, ${system}, Node ${node}, fsync ${format(fsyncMs)} ms
server-memory ${peers['server-memory']}: its KnowledgeGraphManager in process; rewrites its file on each write, no fsync
mem0ai ${peers.mem0ai}: Memory with infer: false, 64-dimensional embedder in process, its own SQLite store; two synced commits a write
GuardKit and bare SQLite: WAL, synchronous = NORMAL; "mem0ai, WAL" is mem0ai at that durability

Milliseconds, p50 / p95 (with 20 samples or more); in brackets how many times faster GuardKit is at p50.
— was not measured: the peers read everything on each call, which at 100k takes seconds.
`);
  printTable(mainTable(figures, contestants));
  const highest = Math.max(...figures.map(({ load }) => load));
  if (highest > count) {
    console.log(
      `\nOther programs kept this machine busy (load ${highest.toFixed(1)} on ${count} CPUs): measure again.`,
    );
  }

  console.log('\nSearch by kind of query\n');
  printTable(kindTable(figures, contestants));

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
  const loads = contestants.map((name) =>
    Math.max(...figures.filter((one) => one.contestant === name).map(({ load }) => load)),
  );
  return [
    ['', 'episodes', ...contestants],
    ...rows,
    ['highest load of the machine', '', ...loads.map((load) => load.toFixed(1))],
  ];
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
  const p95 = figure.samples >= 20 ? format(figure.p95) : '?';
  return `${format(figure.p50)} / ${p95}${ratio}`;
}

function sizesOf(figures) {
  return [...new Set(figures.map(({ size }) => size))].sort((a, b) => a - b);
}

function format(value) {
  return String(Number(value.toPrecision(3)));
}

function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    const cells = row.map((text, column) => text.padEnd(widths[column]));
    console.log(cells.join('  ').trimEnd());
  }
}
