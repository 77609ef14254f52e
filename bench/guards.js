import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importSources } from '../scripts/import-sources.js';
import { measure } from './measure.js';

const GUARDS = 50;
const LIST = '.claude/progress/feature-list.json';

/** Commands as agents write them: most are harmless, some are refused, one is long. */
const COMMANDS = [
  'git status --short',
  'npm test -- --run src/auth 2>&1 | tail -50',
  'rg -n "tested" src test | head -20',
  `jq '.features[] | select(.tested == false) | .id' ${LIST}`,
  "mkdir -p src/auth && cat > src/auth/login.ts <<'EOF'\nexport const login = () => true;\nEOF",
  'find . -name "*.ts" -not -path "./node_modules/*" | xargs grep -l useState | sort | uniq -c',
  `sed -i 's/"tested": false/"tested": true/' ${LIST}`,
  `python3 -c "import json; print(len(json.load(open('${LIST}'))['features']))"`,
  'for f in src/*.ts; do npx prettier --check "$f" || exit 1; done; git add -A && git commit -m "Format"',
  `cat > docs/long.md <<'EOF'\n${'A line of a guide that names .guardkit/config.yaml in its middle.\n'.repeat(200)}EOF`,
];

/** Time from an agent's request to the verdict, with many guards; and the time to read a file's stamp. */
export async function measureGuards(folder) {
  const root = makeProject(join(folder, 'guards', 'shop'));
  const modules = await importSources([
    'src/guards/command/analyse-command.ts',
    'src/guards/affected-paths.ts',
    'src/guards/compile-guard.ts',
    'src/guards/configure-guards.ts',
    'src/guards/evaluate-guards.ts',
    'src/guards/path-context.ts',
    'src/guards/real-path.ts',
    'src/domain/entities/feature.ts',
    'src/domain/feature-list/feature-list.ts',
  ]);
  const place = { root, home: join(folder, 'guards'), dataFolder: join(folder, 'guards', '.guardkit') };
  const features = Array.from({ length: 100 }, (_, index) =>
    modules.featureSchema.parse({
      id: `F${String(index + 1).padStart(3, '0')}`,
      description: 'x'.repeat(80),
    }),
  );
  const facts = {
    now: new Date().toISOString(),
    root,
    dataFolder: place.dataFolder,
    driven: true,
    canAsk: false,
    wrapped: false,
    waivers: [],
    features: () => features,
    evidence: () => 'absent',
  };
  const guards = makeGuards(modules);
  const list = modules.writeFeatureList('shop', features);
  const actor = { agent: 'claude', session: 's', type: 'coding', id: undefined };
  // A new place each time, because each hook is a new process without caches.
  const command = (text) => {
    const here = modules.pathContext({ ...place, cwd: root });
    const analysis = modules.analyseCommand(text, { cwd: here.cwd, home: here.home });
    const reaches = modules.commandReaches(analysis, here);
    return {
      kind: 'command',
      actor,
      tool: 'Bash',
      summary: '',
      command: text,
      cwd: root,
      analysis,
      reaches,
      background: false,
    };
  };
  const edit = (path, before, after) => {
    const file = modules.realPath(path, modules.pathContext({ ...place, cwd: root }));
    return {
      kind: 'edit',
      actor,
      tool: 'Write',
      summary: '',
      files: [{ file, effect: 'write', before, after }],
    };
  };
  const source = 'export const answer = 42;\n'.repeat(400);
  const actions = [
    ...COMMANDS.map((text) => () => command(text)),
    () => edit('src/index.ts', source, `${source}more();\n`),
    () => edit(LIST, list, list.replace('"status": "pending"', '"status": "in_progress"')),
  ];
  let next = 0;
  const times = await measure({
    prepare: () => ({ kind: next++ % actions.length }),
    operation: async ({ kind }) => {
      modules.evaluateGuards(actions[kind](), guards, facts);
    },
    samples: 6_000,
    budgetMs: 20_000,
  });
  const byKind = actions.map((_, kind) => {
    const own = times.filter((one) => one.kind === kind);
    return { p50Ms: percentile(own, 0.5), p99Ms: percentile(own, 0.99) };
  });
  return { guards: guards.length, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), byKind };
}

/** Target of the guards. */
export function judgeGuards({ guards, p99Ms }) {
  const target = `a decision by ${guards} guards, with the command taken apart, p99 ≤ 2 ms`;
  return [{ target, measured: p99Ms, limit: 2, unit: 'ms', met: p99Ms <= 2 }];
}

/** GuardKit's guards, filled up with a project's own. */
function makeGuards({ configureGuards }) {
  const builtIn = configureGuards({}, []).length;
  const definitions = Array.from({ length: GUARDS - builtIn }, (_, index) => ({
    file: `.guardkit/guards/own-${index}.yaml`,
    stale: false,
    definition: {
      id: `own-${index}`,
      summary: 'Holds.',
      mode: 'enforce',
      sessions: 'all',
      decision: 'deny',
      reason: 'Because.',
      guidance: 'Do otherwise.',
      ...(index % 2 === 0
        ? { paths: [`db/${index}/**`, `**/*.part${index}`], except: ['db/drafts/**'] }
        : {
            commands: [
              { program: 'kubectl', subcommand: 'delete' },
              { program: `tool-${index}*`, options: ['--force'] },
            ],
          }),
    },
  }));
  return configureGuards({}, definitions);
}

function makeProject(root) {
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('.guardkit/config.yaml', 'project: bench\n');
  write(LIST, '{}');
  write('src/index.ts', '');
  write('../.guardkit/ledger.db', '');
  const { status } = spawnSync('git', ['init', '-q', root]);
  if (status !== 0) throw new Error('git init failed');
  return root;
}

function percentile(times, share) {
  const sorted = times.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
