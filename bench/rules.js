import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSources } from '../scripts/import-sources.js';
import { measure, summarize } from './measure.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(ROOT, 'bin', 'guardkit');
const STARTS = 21;

/** Time to resolve loaded rules, and the cost of a cold `config explain` compared with a bare Node. */
export async function measureRules(folder) {
  const project = makeProject(join(folder, 'rules'));
  const { loadRuleSources, resolveQualityGates, resolveRoleConstraints } = await importSources([
    'src/rules/load-rule-sources.ts',
    'src/rules/resolve-quality-gates.ts',
    'src/rules/resolve-role-constraints.ts',
  ]);
  const sources = await loadRuleSources(project.root, { path: join(project.home, 'guardkit.db') });
  const { p50: warmMs } = summarize(
    await measure({
      prepare: () => ({}),
      operation: async () => {
        resolveQualityGates(sources, 'feature', 5);
        resolveRoleConstraints(sources, 'coach');
      },
      samples: 2_000,
      budgetMs: 5_000,
    }),
  );
  const explain = ['config', 'explain', 'gates', '--type', 'feature', '--complexity', '5'];
  const bareMs = medianStart(process.execPath, ['-e', '0'], project);
  const coldMs = medianStart(PROGRAM, explain, project);
  return { warmMs, bareMs, coldMs, coldRatio: coldMs / bareMs };
}

function makeProject(root) {
  const home = join(root, 'home');
  const config = join(root, '.guardkit', 'config');
  mkdirSync(config, { recursive: true });
  run('git', ['init', '-q', root], root);
  writeFileSync(join(root, '.guardkit', 'config.yaml'), 'project: bench\n');
  writeFileSync(
    join(config, 'quality-gates.yaml'),
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_threshold: 0.82}\n',
  );
  writeFileSync(
    join(config, 'entity-overrides.yaml'),
    'role_constraints:\n  coach:\n    must_do_additions: [Be kind]\n',
  );
  run(PROGRAM, ['graphiti', 'seed'], root, home);
  return { root, home };
}

function medianStart(command, args, { root, home }) {
  const times = Array.from({ length: STARTS }, () => {
    const start = performance.now();
    run(command, args, root, home);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[STARTS >> 1];
}

// Settings for Node, such as extra certificates, can take longer than Node itself and would hide our own time.
const bareEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));

function run(command, args, cwd, home = cwd) {
  const { status, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...bareEnv, GUARDKIT_HOME: home, GUARDKIT_DATABASE_URL: '' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
}
