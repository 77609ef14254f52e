import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSources } from '../scripts/import-sources.js';

const PROJECT = 'shop-1';
const GUARDS = ['block-tested-true', 'protected-set', 'secrets', 'destructive-commands', 'field-rights'];
const AGENTS = ['main', 'coding', 'tester', 'player'];

/** Few of these commands concern the guard; all differ, so that each has to be analysed. */
const COMMANDS = [
  (n) => `npm test -- --run src/part${n} 2>&1 | tail -50`,
  (n) => `rg -n "name${n}" src test | head -20`,
  (n) => `mkdir -p src/p${n} && cat > src/p${n}/index.ts <<'EOF'\nexport const a = ${n};\nEOF`,
  (n) => `for f in src/p${n}/*.ts; do npx prettier --check "$f" || exit 1; done`,
  (n) => `git add src/p${n} && git commit -m "Part ${n}"`,
  (n) => `git push origin feature-${n}`,
];

/** Time to find patterns after 100 new traces among many, and to backtest a guard on many recorded actions. */
export async function measurePatterns(folder, { traces = 50_000, actions = 100_000, rounds = 20 } = {}) {
  const modules = await importSources([
    'src/learning/patterns/extract-patterns.ts',
    'src/learning/proposals/backtest-guards.ts',
    'src/config/guard-files/guard-file.ts',
    'src/store/ledger/open-ledger.ts',
    'src/store/ledger/tables/kept-actions.ts',
    'src/store/sqlite/open-sqlite-store.ts',
  ]);
  let now = Date.parse('2026-01-01T00:00:00.000Z');
  const clock = () => now;
  const ledger = modules.openLedger({ path: join(folder, 'patterns-ledger.db') });
  const store = await modules.openSqliteStore({ path: join(folder, 'patterns.db'), clock });
  const thresholds = { count: 3, features: 2, sessions: 2 };
  const extract = () => modules.extractPatterns({ ledger, store, project: PROJECT, thresholds });
  let told = 0;
  const tell = async (count) => {
    const inputs = Array.from({ length: count }, () => traceInput(told++));
    // A thousand traces per hour.
    now += count * 3600;
    await store.upsertMany(inputs);
  };
  for (let done = 0; done < traces; done += 1000) await tell(1000);
  const start = performance.now();
  const first = await extract();
  const firstMs = performance.now() - start;
  const times = [];
  const cpus = [];
  for (let round = 0; round < rounds; round++) {
    await tell(100);
    const begun = performance.now();
    const cpu = process.cpuUsage();
    await extract();
    times.push(performance.now() - begun);
    cpus.push(cpuMs(cpu));
  }
  times.sort((a, b) => a - b);
  cpus.sort((a, b) => a - b);
  keepActions(modules, ledger, actions);
  const guards = {
    commands: { commands: [{ program: 'git', subcommand: 'push' }] },
    paths: { paths: ['src/generated/**'] },
  };
  const backtests = {};
  for (const [name, match] of Object.entries(guards)) {
    const definition = modules.guardFileSchema.parse({
      id: `try-${name}`,
      summary: 's',
      reason: 'r',
      guidance: 'g',
      ...match,
    });
    const begun = performance.now();
    const cpu = process.cpuUsage();
    const [result] = modules.backtestGuards([definition], {
      ledger,
      project: PROJECT,
      root: '/project',
      home: '/home/ada',
      now: Date.now(),
    });
    backtests[name] = {
      ms: performance.now() - begun,
      cpuMs: cpuMs(cpu),
      fired: result.fired,
      actions: result.actions,
    };
  }
  await store.close();
  ledger.close();
  return {
    traces,
    patterns: first.patterns.length,
    firstMs,
    incremental: {
      p50: times[Math.floor(times.length / 2)],
      highest: times.at(-1),
      cpuP50: cpus[Math.floor(cpus.length / 2)],
    },
    backtests,
  };
}

/** Processor time: on a shared machine, elapsed time says little. */
function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function traceInput(number) {
  const guard = GUARDS[number % GUARDS.length];
  const topic = Math.floor(number / GUARDS.length) % 40;
  return {
    group: `${PROJECT}__traces`,
    entity_type: 'trace',
    entity_id: `TRACE-bench-${number}`,
    source: 'ledger',
    body: {
      type: 'violation',
      source: 'enforcement_hook',
      outcome: 'denied',
      context: {
        agent: AGENTS[number % AGENTS.length],
        program: 'claude',
        feature: `FEAT-${number % 50}`,
        task: null,
        session: `session-${Math.floor(number / 20)}`,
        turn: null,
      },
      event: {
        what_happened: `Write ${words(topic)} of the project`,
        what_was_correct: `${words(topic + 1)} is a person's: ask for it and say why you need it`,
        why: 'it is protected',
      },
      guard,
      attempted: `edit src/file${number % 100}.ts`,
      action: `tool-${number}`,
      confidence: 1,
      quotes: [],
    },
  };
}

function words(number) {
  const letters = [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  return `the ${letters}ing ${letters}er with ${letters}ness and ${letters}ity`;
}

function keepActions({ insertKeptAction }, ledger, count) {
  const { database } = ledger.file;
  database.transaction(() => {
    for (let n = 0; n < count; n++) {
      const kind = n % 5 === 4 ? 'edit' : 'command';
      insertKeptAction(ledger, {
        project: PROJECT,
        session: `session-${Math.floor(n / 50)}`,
        action: `tool-${n}`,
        at: 1_767_225_600_000 + n * 1000,
        kind,
        decision: 'allow',
        body: {
          agent: 'claude',
          tool: kind === 'edit' ? 'Write' : 'Bash',
          attempted: kind,
          feature: `FEAT-${n % 50}`,
          ...(kind === 'edit'
            ? { edits: [{ file: n % 50 === 4 ? `src/generated/f${n}.ts` : `src/f${n}.ts` }] }
            : {
                command: COMMANDS[n % COMMANDS.length](n),
                cwd: '.',
                reaches: [{ file: `src/p${n}/index.ts`, mode: 'write', by: 'cat' }],
              }),
        },
      });
    }
  })();
}

/** Targets of learning. */
export function judgePatterns({ incremental, backtests }) {
  const longest = Math.max(...Object.values(backtests).map(({ ms }) => ms));
  return [
    {
      target: 'patterns after 100 new traces among 50,000 ≤ 50 ms',
      measured: incremental.p50,
      limit: 50,
      unit: 'ms',
      met: incremental.p50 <= 50,
    },
    {
      target: 'backtest of one guard over 100,000 actions ≤ 5 s',
      measured: longest,
      limit: 5_000,
      unit: 'ms',
      met: longest <= 5_000,
    },
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { mkdtempSync, rmSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-bench-'));
  try {
    const figures = await measurePatterns(folder);
    console.log(JSON.stringify({ figures, targets: judgePatterns(figures) }, null, 2));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
