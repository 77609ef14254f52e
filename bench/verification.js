import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSources } from '../scripts/import-sources.js';
import { junitFile } from './junit-file.js';
import { AS_BENCH, writerIn } from './project-files.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(ROOT, 'bin', 'guardkit.js');
const RUNS = 7;
const TESTS = 50_000;
/** Each takes one second; they run one after the other. */
const SLOW_TESTS = 8;

/** The cost of `verify` beyond its commands, on a clone of this repository, and the time to read a long report. */
export async function measureVerification(folder) {
  const project = makeProject(join(folder, 'verification'));
  const overheads = [];
  // The first run has to check everything out, so only later ones count.
  for (let run = 0; run <= RUNS; run++) {
    const { duration_ms, gates } = verify(project);
    const commands = project.durations(gates);
    if (run > 0) overheads.push(duration_ms - commands);
  }
  const { parseJunitXml } = await importSources(['src/verification/test-reports/junit-xml.ts']);
  const text = junitFile(TESTS);
  const start = performance.now();
  const parsed = parseJunitXml(text);
  const junitMs = performance.now() - start;
  if (!parsed.ok || parsed.value.tests.length !== TESTS) throw new Error('the JUnit file was not read whole');
  const ratios = measureRatios(join(folder, 'ratios'));
  return { overheadMs: overheads.sort((a, b) => a - b)[RUNS >> 1], junitMs, ...ratios };
}

/** Time of a first and a later verification, as multiples of the native suite; see docs/adr/0015. */
function measureRatios(place) {
  const root = join(place, 'project');
  const home = join(place, 'home');
  mkdirSync(home, { recursive: true });
  const write = writerIn(root);
  const slow = (name, value) =>
    `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/add.js';\ntest('${name}', async () => {\n  await new Promise((done) => setTimeout(done, 1000));\n  assert.equal(add(1, ${value}), ${1 + value});\n});\n`;
  const tests = 'node --test --test-concurrency=1';
  const measured = '--experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info';
  write(
    '.guardkit/config.yaml',
    `project: ratios\nverify:\n  tests: {command: ${tests}}\n  coverage: {command: ${tests} ${measured}, report: lcov.info}\n`,
  );
  write(
    'tasks/TASK-001.md',
    '---\nid: TASK-001\ntitle: T\ntask_type: refactor\ncomplexity: 2\n---\n## Acceptance Criteria\n- AC-001: x\n',
  );
  write('package.json', '{"type":"module"}\n');
  write('src/add.js', 'export const add = (a, b) => a + b;\n');
  for (let number = 0; number < SLOW_TESTS; number++)
    write(`test/t${number}.test.js`, slow(`t${number}`, number));
  run('git', ['init', '--quiet', '--initial-branch=main'], root, home);
  commitAll(root, home);
  write('src/add.js', 'export const add = (a, b) => b + a;\n');
  write('test/t0.test.js', slow('t0', 0).replace('assert.equal(', 'assert.deepEqual('));
  const nativeMs = timed(() => run('sh', ['-c', tests], root, home));
  const firstMs = timed(() => verify({ root, home }));
  write('src/add.js', 'export const add = (a, b) => 0 + b + a;\n');
  const laterMs = timed(() => verify({ root, home }));
  return { nativeMs, firstMs, laterMs };
}

function commitAll(root, home) {
  run('git', ['add', '--all'], root, home);
  run('git', [...AS_BENCH, 'commit', '--quiet', '--message', 'b'], root, home);
}

function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function makeProject(place) {
  const root = join(place, 'clone');
  const home = join(place, 'home');
  mkdirSync(home, { recursive: true });
  run('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, root], place, home);
  const write = writerIn(root);
  write(
    '.guardkit/config.yaml',
    'project: bench\nverify: {tests: {command: node --test bench-test/*.test.js}}\n',
  );
  write(
    'tasks/TASK-001.md',
    '---\nid: TASK-001\ntitle: T\ntask_type: scaffolding\ncomplexity: 1\n---\n## Acceptance Criteria\n- AC-001: x\n',
  );
  write('bench-test/one.test.js', "import test from 'node:test';\ntest('one', () => {});\n");
  commitAll(root, home);
  write('bench-test/two.test.js', "import test from 'node:test';\ntest('two', () => {});\n");
  return { root, home, durations: (gates) => commandTime({ root, home }, gates) };
}

function verify({ root, home }) {
  return JSON.parse(run(process.execPath, [PROGRAM, 'verify', 'TASK-001', '--json'], root, home));
}

/** Time of the candidate's runs; from the second verification on, the base's results are reused. */
function commandTime({ root, home }, gates) {
  const { evidence } = JSON.parse(
    run(process.execPath, [PROGRAM, 'evidence', 'TASK-001', '--json'], root, home),
  );
  const used = new Set(gates.flatMap((gate) => gate.evidence));
  return evidence
    .filter(({ id, tree_is }) => used.has(id) && tree_is === 'candidate')
    .reduce((sum, { duration_ms }) => sum + duration_ms, 0);
}

function run(command, args, cwd, home) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, GUARDKIT_HOME: home, GUARDKIT_DATABASE_URL: '' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}
