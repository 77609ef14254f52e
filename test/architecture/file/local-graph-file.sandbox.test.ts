import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryPath } from '../../../src/architecture/file/graph-file.ts';
import { LocalGraphFile } from '../../../src/architecture/file/local-graph-file.ts';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { knowledgeUpdate } from '../../../src/architecture/update/knowledge-update.ts';
import { runSandboxed } from '../../support/bubblewrap.ts';
import { further } from '../../support/thorough.ts';
import { buildWorker, runWorker } from '../../support/worker.ts';

const WORKER = fileURLToPath(new URL('./update-worker.ts', import.meta.url));
const NODE = {
  operation: 'add_node',
  type: 'component',
  level: 'architecture',
  status: 'current',
  description: 'd',
};

let folder: string;
let root: string;
let home: string;
let path: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-graph-')));
  root = join(folder, 'project');
  home = join(folder, 'home');
  path = join(root, '.maestro', 'knowledge.dot');
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => new LocalGraphFile(root, { home });
const add = (name: string) => knowledgeUpdate({ ...NODE, name }, open());

function nodesOf(text: string): string[] {
  const read = readGraph(text);
  if (!read.ok) throw new Error(`${read.fault.line}: ${read.fault.message}`);
  return [...read.graph.nodes.keys()].sort();
}

describe('a project’s graph file', () => {
  it('is created with its folder', async () => {
    expect(await open().read()).toBeUndefined();
    expect(await add('a')).toMatchObject({ ok: true, written: true });
    expect(nodesOf(readFileSync(path, 'utf8'))).toEqual(['a']);
    expect(readdirSync(join(root, '.maestro'))).toEqual(['knowledge.dot']);
  });

  it('keeps its byte order mark, its line ends and its mode', async () => {
    mkdirSync(join(root, '.maestro'));
    writeFileSync(path, '\uFEFFdigraph {\r\n  x;\r\n}\r\n', { mode: 0o640 });
    await add('a');
    const text = readFileSync(path, 'utf8');
    expect(text.startsWith('\uFEFFdigraph {\r\n  x;\r\n  ')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('is not written if it changed since it was read', async () => {
    const file = open();
    await add('a');
    const read = await file.read();
    writeFileSync(path, 'digraph { changed }');
    expect(await file.write('digraph { mine }', read)).toEqual({ ok: false, why: 'changed' });
    expect(await file.write('digraph { mine }', undefined)).toEqual({ ok: false, why: 'changed' });
    rmSync(path);
    expect(await file.write('digraph { mine }', read)).toEqual({ ok: false, why: 'changed' });
    expect(existsSync(path)).toBe(false);
  });

  it('that is not text, not a file or too large is refused and left unchanged', async () => {
    mkdirSync(path, { recursive: true });
    await expect(add('a')).rejects.toMatchObject({ code: 'graph.unusable', kind: 'outside' });
    rmSync(path, { recursive: true });
    writeFileSync(path, Buffer.from([0x64, 0xff, 0xfe]));
    await expect(add('a')).rejects.toMatchObject({ code: 'graph.unusable', kind: 'outside' });
    writeFileSync(path, Buffer.alloc(17 * 1024 * 1024, 32));
    await expect(add('a')).rejects.toMatchObject({ code: 'graph.unusable', kind: 'outside' });
  });
});

describe('links', () => {
  it('inside the project are followed and stay links', async () => {
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'docs', 'graph.dot'), 'digraph { }');
    mkdirSync(join(root, '.maestro'));
    symlinkSync('../docs/graph.dot', path);
    await add('a');
    expect(nodesOf(readFileSync(join(root, 'docs', 'graph.dot'), 'utf8'))).toEqual(['a']);
    expect(realpathSync(path)).toBe(join(root, 'docs', 'graph.dot'));
  });

  it.each([
    [
      'the file',
      () => mkdirSync(join(root, '.maestro')),
      () => symlinkSync(join(folder, 'outside.dot'), path),
    ],
    [
      'the folder',
      () => mkdirSync(join(folder, 'out')),
      () => symlinkSync(join(folder, 'out'), join(root, '.maestro')),
    ],
    [
      'a folder whose name starts like the project’s',
      () => mkdirSync(join(folder, 'project-2')),
      () => symlinkSync(join(folder, 'project-2'), join(root, '.maestro')),
    ],
  ])('out of the project are refused: %s', async (_, prepare, link) => {
    writeFileSync(join(folder, 'outside.dot'), 'digraph { }');
    prepare();
    link();
    await expect(add('a')).rejects.toMatchObject({ code: 'graph.outside', kind: 'refused' });
    expect(readFileSync(join(folder, 'outside.dot'), 'utf8')).toBe('digraph { }');
  });

  it('that are broken are refused', async () => {
    mkdirSync(join(root, '.maestro'));
    symlinkSync('nowhere.dot', path);
    await expect(add('a')).rejects.toMatchObject({ code: 'graph.unusable' });
  });
});

it('paths of nodes are checked in the repository, without lines and anchors', async () => {
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'a.ts'), '');
  const paths = [
    'src',
    'src/',
    'src/a.ts',
    'src/a.ts:12',
    'src/a.ts#top',
    'src/*.ts',
    'src/b.ts',
    '/etc',
    '../x',
    '',
  ];
  expect([...(await open().missing(paths))]).toEqual(['src/b.ts', '/etc', '../x']);
  expect(repositoryPath('C:\\x')).toBe('outside');
});

describe('parallel updates', () => {
  it('by 8 processes are all kept [GRAPH-2]', async () => {
    const bundle = await buildWorker(WORKER);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const workers = names.map((name) => runWorker(bundle, [root, home, name, '6']));
    for (const { done } of workers) expect(await done).toMatchObject({ code: 0, stderr: '' });
    const expected = names.flatMap((name) => [1, 2, 3, 4, 5, 6].map((number) => `${name}-${number}`));
    expect(nodesOf(readFileSync(path, 'utf8'))).toEqual(expected.sort());
  });

  further('are also kept without a data folder for the lock', async () => {
    writeFileSync(home, 'in its place');
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(names.map(add));
    expect(nodesOf(readFileSync(path, 'utf8'))).toEqual(names);
  });

  it('work in a sandbox that hides the data folder', async (context) => {
    mkdirSync(home);
    const bundle = await buildWorker(WORKER);
    // The worker, and the packages that are not in its bundle.
    const packages = dirname(dirname(dirname(bundle)));
    const command = `"${process.execPath}" "${bundle}" "${root}" "${home}" inside 2`;
    const { exitCode, stderr } = await runSandboxed(
      context,
      command,
      { cwd: root },
      { hidden: [home], readOnly: [packages] },
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(nodesOf(readFileSync(path, 'utf8'))).toEqual(['inside-1', 'inside-2']);
  });

  it('by a process that is killed leave a complete file with every reported update [GRAPH-2]', async () => {
    const bundle = await buildWorker(WORKER);
    const told: string[] = [];
    for (let round = 0; round < 5; round++) {
      let reached = () => {};
      const enough = new Promise<void>((resolve) => {
        reached = resolve;
      });
      let lines = 0;
      const worker = runWorker(bundle, [root, home, `r${round}`, '100000'], {
        onLine: (line) => {
          if (line !== 'ready') told.push(line);
          if (++lines > 3 + round) reached();
        },
      });
      await enough;
      worker.child.kill('SIGKILL');
      await worker.done;
      const nodes = new Set(nodesOf(readFileSync(path, 'utf8')));
      expect(told.filter((name) => !nodes.has(name))).toEqual([]);
    }
    // No clean-up needed: the lock is free and the next update works.
    expect(await add('after')).toMatchObject({ ok: true, written: true });
    expect(readdirSync(join(root, '.maestro'))).toEqual(['knowledge.dot']);
  });
});
