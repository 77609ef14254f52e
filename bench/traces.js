/**
 * The cost of learning: recording a trace, delivering it to memory, querying traces and precedents among many, recording an
 * action and reading recorded ones. `node bench/traces.js [TRACES]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSources } from '../scripts/import-sources.js';
import { measure, summarize } from './measure.js';
import { pick, random } from './random.js';
import { filePath, identifier, sentence } from './vocabulary.js';

const count = Number(process.argv[2] ?? 50_000);
const folder = mkdtempSync(join(tmpdir(), 'guardkit-bench-'));
const {
  openLedger,
  openStore,
  queryTraces,
  precedentsFor,
  recordTrace,
  noticeCorrection,
  insertKeptAction,
  keptActions,
} = await importSources([
  'src/store/ledger/open-ledger.ts',
  'src/store/open-store.ts',
  'src/learning/traces/query-traces.ts',
  'src/learning/precedents/precedents-for.ts',
  'src/learning/traces/record-trace.ts',
  'src/learning/corrections/notice-correction.ts',
  'src/store/ledger/tables/kept-actions.ts',
]);

const PROJECT = 'bench-1';
const GUARDS = ['block-tested-true', 'protected-set', 'secrets', 'destructive-commands', 'tests', 'coverage'];

function trace(number) {
  const next = random(number + 1);
  return {
    type: pick(next, ['violation', 'violation', 'correction', 'decision']),
    source: 'enforcement_hook',
    outcome: 'denied',
    context: {
      agent: pick(next, ['coding', 'tester', 'main', 'player']),
      program: 'claude',
      feature: `FEAT-${Math.floor(next() * 400)}`,
      task: `TASK-${Math.floor(next() * 3000)}`,
      session: `session-${Math.floor(number / 40)}`,
      turn: null,
    },
    event: {
      what_happened: `Edit ${filePath(next)}: ${sentence(next, 12)}`,
      what_was_correct: sentence(next, 10),
      why: `${identifier(next)} ${sentence(next, 12)}`,
    },
    guard: pick(next, GUARDS),
    attempted: `edit ${filePath(next)}`,
    action: `tool-${number}`,
    confidence: 1,
    quotes: [],
  };
}

const rows = [];
const row = (name, times, limit) => {
  const { p50, p95 } = summarize(times);
  rows.push({ what: name, 'p50 ms': p50.toFixed(3), 'p95 ms': p95.toFixed(3), wanted: limit });
};

try {
  const ledger = openLedger({ path: join(folder, 'ledger.db') });
  const store = await openStore({ path: join(folder, 'guardkit.db') });
  for (let from = 0; from < count; from += 1000) {
    const inputs = Array.from({ length: Math.min(1000, count - from) }, (_one, index) => ({
      group: `${PROJECT}__traces`,
      entity_type: 'trace',
      entity_id: `TRACE-bench-${from + index}`,
      source: 'enforcement_hook',
      body: trace(from + index),
    }));
    await store.upsertMany(inputs);
  }
  await store.search('warm up', { groups: [`${PROJECT}__traces`] });
  let number = count;
  const words = random(7);
  const run = (operation, prepare, samples = 300) =>
    measure({ prepare, operation, samples, budgetMs: 60_000 });

  row(
    'write a trace to memory',
    await run(
      (body) =>
        store.upsert({
          group: `${PROJECT}__traces`,
          entity_type: 'trace',
          entity_id: `TRACE-bench-${number++}`,
          source: 'enforcement_hook',
          body,
        }),
      () => trace(number),
    ),
    '≤ 1',
  );
  row(
    'record a trace in the ledger, on the disk',
    await run(
      (event) => recordTrace(ledger, PROJECT, { type: 'correction', event }, 'agent'),
      () => trace(number++).event,
    ),
    '≤ 1',
  );
  row(
    'query_traces by words',
    await run(
      (text) => queryTraces(store, PROJECT, { text }),
      () => `${sentence(words, 3)} ${identifier(words)}`,
    ),
    '≤ 10',
  );
  row(
    'query_traces by words and a field',
    await run(
      (text) => queryTraces(store, PROJECT, { text, agent: 'coding' }),
      () => sentence(words, 3),
    ),
    '≤ 10',
  );
  row(
    'query_traces by feature',
    await run(
      (feature) => queryTraces(store, PROJECT, { feature }),
      () => `FEAT-${Math.floor(words() * 400)}`,
    ),
    '≤ 10',
  );
  row(
    'precedents for a task',
    await run(
      (about) => precedentsFor(store, PROJECT, { about, agent: 'coding', feature: 'FEAT-7' }),
      () => sentence(words, 12),
      60,
    ),
    '',
  );
  const before = { message: 'Done. All tests pass.', tools: [], edited: ['src/a.ts'], earlierPrompts: [] };
  row(
    'notice a correction',
    await run(
      (text) => noticeCorrection(text, before),
      () => sentence(words, 60),
    ),
    '',
  );
  const body = {
    agent: 'claude',
    tool: 'Bash',
    attempted: 'command npm',
    command: 'npm test -- --run src/cart.test.ts',
    cwd: '.',
    reaches: [],
  };
  const kept = {
    project: PROJECT,
    session: 's',
    action: 'a',
    at: Date.now(),
    kind: 'command',
    decision: 'allow',
    body,
  };
  ledger.file.database.pragma('synchronous = NORMAL');
  row(
    'keep an action',
    await run(
      () => insertKeptAction(ledger, kept),
      () => ({}),
    ),
    '',
  );
  ledger.file.database.transaction(() => {
    for (let one = 0; one < 100_000; one += 1) insertKeptAction(ledger, kept);
  })();
  const start = performance.now();
  let read = 0;
  for (const _one of keptActions(ledger, PROJECT)) read += 1;
  rows.push({
    what: `read ${read} kept actions`,
    'p50 ms': (performance.now() - start).toFixed(0),
    wanted: '',
  });
  ledger.close();
  await store.close();
  process.stdout.write(`${count} traces\n`);
  console.table(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
