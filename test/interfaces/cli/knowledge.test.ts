import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';

const GRAPH = `digraph knowledge {
  "api" [type="component", level="architecture", status="current", description="Answers", path="src"];
  "store" [type="datastore", level="architecture", status="current", description="Keeps users"];
  "api" -> "store" [relation="uses"];
}
`;
const FILE = 'shop/.maestro/knowledge.dot';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
  sandbox.write('shop/src/index.js', '');
});
afterEach(() => sandbox.cleanup());

const knowledge = (args: readonly string[], input?: string) =>
  sandbox.guardkit(['knowledge', ...args], { in: 'shop', ...(input === undefined ? {} : { input }) });
const failure = (args: readonly string[]) => sandbox.failure(['knowledge', ...args], { in: 'shop' });
const text = () => readFileSync(sandbox.path(FILE), 'utf8');
const json = async (args: readonly string[], input?: string) =>
  JSON.parse((await knowledge([...args, '--json'], input)).stdout) as Record<string, unknown>;
const node = (name: string) => [
  ...['update', 'add_node', '--name', name, '--type', 'component', '--level', 'architecture'],
  ...['--status', 'current', '--description', 'Made here'],
];

describe('update', () => {
  it('makes the file with its first node, and shows the diff', async () => {
    const { stdout, exitCode } = await knowledge(node('mailer'));
    expect(exitCode).toBe(0);
    expect(stdout).toContain('+  "mailer" [type="component"');
    expect(text()).toContain('"mailer"');
  });

  it('is remembered: history tells how a node changed, also one that is gone or was there before [GRAPH-5]', async () => {
    sandbox.write(FILE, GRAPH);
    await knowledge(['update', 'update_node', '--name', 'api', '--tag', 'http']);
    await knowledge(['update', 'remove_node', '--name', 'store']);
    await knowledge([...node('mailer'), '--dry-run']);
    const history = async (id: string) =>
      (await sandbox.guardkit(['graphiti', 'history', id], { in: 'shop' })).stdout;
    expect(await history('store')).toContain('~ present: true → false');
    const api = await history('api');
    expect(api).toContain(
      '+ fields: {"level":"architecture","description":"Answers","path":"src","tag":"http"}',
    );
    expect(api).toContain('changed_by: "guardkit knowledge update"');
    expect(api).toContain('~ edges: ["uses store"] → []');
    const mailer = await sandbox.guardkit(['graphiti', 'history', 'mailer'], { in: 'shop' });
    expect(mailer.exitCode).toBe(1);
  });

  it('with --dry-run writes nothing', async () => {
    expect(await json([...node('mailer'), '--dry-run'])).toMatchObject({ written: false, dry_run: true });
    expect(existsSync(sandbox.path(FILE))).toBe(false);
  });

  it('refuses with guidance: 2 for a wrong call, 1 for what the graph does not allow', async () => {
    sandbox.write(FILE, GRAPH);
    const wrong = await failure([...node('x'), '--status', 'planned']);
    expect(wrong.exitCode).toBe(2);
    expectFailure(wrong, 'request.parameters planned future');
    const there = await failure(node('api'));
    expect(there.exitCode).toBe(1);
    expectFailure(there, 'node.exists api update_node');
    expect(text()).toBe(GRAPH);
  });

  it('takes operations from a file or from standard input, all or none', async () => {
    sandbox.write(FILE, GRAPH);
    const operations = [
      { operation: 'rename_node', name: 'store', new_name: 'user-store' },
      { operation: 'update_node', name: 'api', tag: 'http' },
    ];
    sandbox.write('shop/ops.json', operations);
    expect(await json(['update', '--json-ops', 'ops.json', '--dry-run'])).toMatchObject({ ok: true });
    expect((await knowledge(['update', '--json-ops', '-'], JSON.stringify(operations))).exitCode).toBe(0);
    expect(text()).toContain('"api" -> "user-store" [relation="uses"];');
    const bad = await knowledge(['update', '--json-ops', '-'], '{nope');
    expect(bad.exitCode).toBe(2);
    expect((await knowledge(['update', 'remove_node', '--json-ops', '-'], '{}')).exitCode).toBe(2);
  });

  it('knows what the project adds to the schema', async () => {
    sandbox.write(
      'shop/.guardkit/config.yaml',
      'architecture:\n  types: [service]\n  relations: [publishes]\n',
    );
    const added = await knowledge(node('mailer').with(5, 'service'));
    expect(added.exitCode).toBe(0);
    sandbox.write('shop/.guardkit/config.yaml', 'architecture:\n  types: [Service]\n');
    const refused = await knowledge(['validate']);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('config.yaml:2:11');
  });
});

describe('validate', () => {
  it('lists all faults with their places and ends with 1', async () => {
    sandbox.write(FILE, GRAPH.replace('status="current", description="A', 'status="active", description="A'));
    const { stdout, exitCode } = await knowledge(['validate']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^✗ \.maestro\/knowledge\.dot:2:57: .*api.*"active"/);
    expect(await json(['validate'])).toMatchObject({
      valid: false,
      faults: [{ line: 2, column: 57, node: 'api', field: 'status', found: 'active', nearest: 'current' }],
    });
  });

  it('warns of paths, and names a conflict', async () => {
    sandbox.write(FILE, GRAPH.replace('path="src"', 'path="lib"'));
    expect(await json(['validate'])).toMatchObject({ valid: true, warnings: [{ code: 'node.path' }] });
    sandbox.write(FILE, `<<<<<<< a\n${GRAPH}=======\n>>>>>>> b\n`);
    expect((await knowledge(['validate'])).exitCode).toBe(1);
    expect(await json(['validate'])).toMatchObject({
      valid: false,
      faults: [{ line: 1, column: 1, code: 'dot.conflict' }],
    });
  });

  it('--changed judges only what the branch adds', async () => {
    const commit = (message: string) => {
      sandbox.git('shop', 'add', '--all');
      sandbox.commit('shop', message);
    };
    expect(await json(['validate', '--changed'])).toMatchObject({ verdict: 'skipped' });
    const broken = GRAPH.replace('level="architecture", status="current", description="K', 'description="K');
    sandbox.write(FILE, broken);
    commit('Graph');
    expect(await json(['validate', '--changed'])).toMatchObject({ verdict: 'skipped' });
    sandbox.git('shop', 'switch', '--quiet', '--create', 'feature');
    sandbox.write(FILE, broken.replace('Answers', 'Answers requests'));
    commit('Text');
    expect(await json(['validate', '--changed'])).toMatchObject({ verdict: 'pass', remaining: [{}, {}] });
    sandbox.write(FILE, broken.replace('"uses"', '"likes"'));
    const worse = await knowledge(['validate', '--changed']);
    expect(worse.exitCode).toBe(1);
    expect(worse.stdout).toContain('relation "likes"');
    sandbox.git('shop', 'add', '--all');
    sandbox.write(FILE, broken);
    expect(await json(['validate', '--changed'])).toMatchObject({
      verdict: 'fail',
      faults: [{ found: 'likes' }],
    });
    sandbox.git('shop', 'rm', '--quiet', '--force', '.maestro/knowledge.dot');
    expect(await json(['validate', '--changed'])).toMatchObject({
      verdict: 'fail',
      faults: [],
    });
  });
});

describe('reading', () => {
  beforeEach(() => void sandbox.write(FILE, GRAPH));

  it('show, query, path and pack tell people and programs the same', async () => {
    expect((await knowledge(['show', 'api'])).stdout).toContain('  → uses store\n');
    expect(await json(['show', 'api'])).toMatchObject({
      places: [{ line: 2 }, { line: 4 }],
      edges: [{ to: 'store' }],
    });
    expect((await knowledge(['show'])).stdout).toMatch(/\b2\b.*\b1\b.*\n\ncomponent \(1\)\n {2}api Answers/);
    expect(await json(['query', 'users'])).toMatchObject({ total: 1, hits: [{ id: 'store' }] });
    expectFailure(await failure(['query', '--type', 'database']), 'usage database datastore');
    expect((await knowledge(['path', 'store', 'api'])).stdout).toBe('store\n  ← uses api\n');
    expect((await knowledge(['path', 'store', 'api', '--directed'])).exitCode).toBe(1);
    expect((await knowledge(['pack', 'users'])).stdout).toContain('- store (datastore): Keeps users');
  });

  it('render writes a picture', async () => {
    expect((await knowledge(['render', '--out', 'graph.svg'])).stdout).toContain('graph.svg');
    expect(readFileSync(sandbox.path('shop/graph.svg'), 'utf8')).toContain('<svg');
    expect((await knowledge(['render', '--format', 'dot', '--around', 'api'])).stdout).toContain('digraph {');
    expect((await knowledge(['render', '--out', 'x.svg', '--dry-run'])).stdout).toContain('x.svg');
    expect(existsSync(sandbox.path('shop/x.svg'))).toBe(false);
  });

  it('tells where there is no graph, or no project', async () => {
    expect((await sandbox.failure(['knowledge', 'show'])).code).toBe('project.unknown');
    sandbox.repository('empty');
    expect(await sandbox.failure(['knowledge', 'query', 'x'], { in: 'empty' })).toMatchObject({
      exitCode: 2,
      code: 'graph.absent',
    });
  });
});

it('fix shows repairs as a diff, and makes them with --write', async () => {
  const broken = GRAPH.replace('status="current", description="A', 'status="active", description="A');
  sandbox.write(FILE, broken);
  const shown = await knowledge(['fix']);
  expect(shown.stdout).toMatch(/api.*"active".*current/);
  expect(await json(['fix'])).toMatchObject({ written: false });
  expect(text()).toBe(broken);
  await knowledge(['fix', '--write', '--dry-run']);
  expect(text()).toBe(broken);
  expect(await json(['fix', '--write'])).toMatchObject({ written: true, faults: [] });
  const history = await sandbox.guardkit(['graphiti', 'history', 'api'], { in: 'shop' });
  expect(history.stdout).toContain('changed_by: "guardkit knowledge fix"');
  expect(text()).toBe(GRAPH);
});

it('merge is a merge driver: the result goes to the second file, 1 tells of conflicts', async () => {
  const after = (added: string) => GRAPH.replace('"Keeps users"];', `"Keeps users"];\n  ${added};`);
  sandbox.write('shop/base', GRAPH);
  sandbox.write('shop/ours', after('"a" [type="rule"]'));
  sandbox.write('shop/theirs', after('"b" [type="rule"]'));
  expect(await json(['merge', 'base', 'ours', 'theirs'])).toMatchObject({ merged: true, conflicts: [] });
  const merged = readFileSync(sandbox.path('shop/ours'), 'utf8');
  expect(merged).toContain('"a"');
  expect(merged).toContain('"b"');
  sandbox.write('shop/ours', GRAPH.replace('Answers', 'One'));
  sandbox.write('shop/theirs', GRAPH.replace('Answers', 'Two'));
  const conflict = await knowledge(['merge', 'base', 'ours', 'theirs', '--json']);
  expect(conflict.exitCode).toBe(1);
  expect(JSON.parse(conflict.stdout)).toMatchObject({ merged: false, conflicts: [{ node: 'api' }] });
  expect(readFileSync(sandbox.path('shop/ours'), 'utf8')).toContain('<<<<<<< ours');
});

describe('merge --install', () => {
  const install = (args: readonly string[] = [], person = true) =>
    sandbox.guardkit(['knowledge', 'merge', '--install', ...args], { in: 'shop', person });
  const attributes = () => readFileSync(sandbox.path('shop/.gitattributes'), 'utf8');
  const driver = () => sandbox.git('shop', 'config', '--local', '--get', 'merge.guardkit-knowledge.driver');

  it('tells git once how to merge the graph, and leaves what else is said there', async () => {
    sandbox.write('shop/.gitattributes', '*.png binary');
    expect((await install()).exitCode).toBe(0);
    expect(attributes()).toBe('*.png binary\n.maestro/knowledge.dot merge=guardkit-knowledge\n');
    expect(driver().trim()).toBe('guardkit knowledge merge %O %A %B');
    expect(sandbox.git('shop', 'check-attr', 'merge', '--', '.maestro/knowledge.dot')).toContain(
      'merge: guardkit-knowledge',
    );
    const before = attributes();
    expect(JSON.parse((await install(['--json'])).stdout).changes).toEqual([]);
    expect(attributes()).toBe(before);
  });

  it('keeps a driver that somebody set, and says so', async () => {
    sandbox.git('shop', 'config', 'merge.guardkit-knowledge.driver', 'npx guardkit knowledge merge %O %A %B');
    expect((await install()).stderr).toContain('npx guardkit knowledge merge');
    expect(driver()).toContain('npx');
  });

  it('changes nothing in a dry run, without a person, or beside files to merge', async () => {
    const dry = await install(['--dry-run'], false);
    expect(dry.stdout).toContain('\n  git config merge.guardkit-knowledge.name');
    expect((await install([], false)).exitCode).toBe(1);
    expect((await install(['a', 'b', 'c'])).exitCode).toBe(2);
    expect((await knowledge(['merge', 'a', 'b'])).exitCode).toBe(2);
    expect(existsSync(sandbox.path('shop/.gitattributes'))).toBe(false);
  });
});
