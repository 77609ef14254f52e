import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { snapshotTree } from '../../src/platform/git/git-tree.ts';
import { Repository } from '../../src/platform/git/repository.ts';
import { architectureFacts } from '../../src/verification/architecture-facts.ts';
import { compareTrees } from '../../src/verification/compare-trees.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const node = (id: string, path: string) =>
  `  "${id}" [type="component", level="architecture", status="current", description="x", path="${path}"];\n`;
const BASE = `digraph knowledge {\n${node('api', 'src/api.ts')}}\n`;

async function aRepository() {
  const root = temporaryFolder();
  execFileSync('git', ['init', '--quiet', root]);
  const graph = join(root, '.maestro', 'knowledge.dot');
  mkdirSync(join(root, '.maestro'));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'api.ts'), 'x\n');
  writeFileSync(graph, BASE);
  const repository = await Repository.open(root);
  const base = await snapshotTree(repository, []);
  const facts = async (architecture?: { types: string[] }) =>
    architectureFacts(
      repository,
      await compareTrees(repository, base, await snapshotTree(repository, [])),
      architecture,
    );
  return { root, graph, repository, base, facts };
}

it('reads the graph from the base and the working files, and looks up the paths of its nodes', async () => {
  const { graph, facts } = await aRepository();
  expect(await facts()).toMatchObject({ read: true, change: { before: '', after: '' } });
  const parts = [
    node('api', 'src/api.ts:3'),
    node('all', './src/'),
    node('rules', '.guardkit/config.yaml'),
    node('any', 'src/*.ts'),
    node('gone', 'src/gone.ts'),
    node('out', '../secret'),
  ];
  const after = `digraph knowledge {\n${parts.join('')}}\n`;
  writeFileSync(graph, after);
  const found = await facts({ types: ['queue'] });
  expect(found).toMatchObject({ read: true, change: { before: BASE, after } });
  expect(found.read && [...found.missingPaths]).toEqual(['src/gone.ts', '../secret']);
  expect(found.read && found.schema.types).toContain('queue');
});

it('distinguishes a deleted or linked graph from one that never existed', async () => {
  const { graph, root, facts, repository, base } = await aRepository();
  rmSync(graph);
  expect(await facts()).toMatchObject({ read: true, change: { before: BASE, after: undefined } });
  symlinkSync(join(root, 'src', 'api.ts'), graph);
  expect(await facts()).toMatchObject({ read: false, because: 'candidate' });
  const entries = (await compareTrees(repository, base, base)).entries.filter(
    ({ path }) => path === 'src/api.ts',
  );
  expect(await architectureFacts(repository, { entries, baseEntries: entries }, undefined)).toMatchObject({
    change: { before: undefined, after: undefined },
  });
});

it('does not treat a graph that git cannot read as deleted', async () => {
  const { repository } = await aRepository();
  const entry = (digit: string) => ({
    path: '.maestro/knowledge.dot',
    mode: '100644',
    object: digit.repeat(40),
  });
  expect(
    await architectureFacts(repository, { entries: [entry('1')], baseEntries: [entry('2')] }, undefined),
  ).toMatchObject({ read: false, because: 'git', why: expect.any(String) });
});
