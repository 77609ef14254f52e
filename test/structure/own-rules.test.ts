import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attributeOf } from '../../src/architecture/graph/architecture-graph.ts';
import { readGraph } from '../../src/architecture/graph/read-graph.ts';
import { BUILT_IN_SCHEMA } from '../../src/architecture/schema/knowledge-schema.ts';
import { validateGraph } from '../../src/architecture/validation/validate-graph.ts';
import { readWork } from '../../src/config/work/read-work.ts';
import { findConfigFaults } from '../../src/guards/guard-sources.ts';
import { importsOf, SRC, sourceFiles } from './source-imports.ts';

const ROOT = dirname(SRC);

function ownGraph() {
  const read = readGraph(readFileSync(join(ROOT, '.maestro', 'knowledge.dot'), 'utf8'));
  if (!read.ok) throw new Error('.maestro/knowledge.dot cannot be read');
  return read.graph;
}

const graph = ownGraph();
const nodes = [...graph.nodes.values()].map((node) => ({ id: node.id, path: attributeOf(node, 'path') }));

function folders(path: string): string[] {
  return readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${path}/${entry.name}`] : [],
  );
}

describe('[SELF-1] this repository’s architecture graph', () => {
  it('is valid', () => {
    const missingPaths = new Set(
      nodes.flatMap(({ path }) => (path && !existsSync(join(ROOT, path)) ? [path] : [])),
    );
    expect([...missingPaths]).toEqual([]);
    expect(validateGraph(graph, BUILT_IN_SCHEMA)).toEqual({ faults: [], warnings: [] });
  });

  it('has every folder under src/ as a component', () => {
    const paths = nodes.map(({ path }) => path);
    expect(folders('src').filter((folder) => !paths.includes(folder))).toEqual([]);
  });

  it('has exactly the imports between layers that the source has', () => {
    const layers = new Map(
      nodes.flatMap(({ id, path }) => (path && folders('src').includes(path) ? [[id, path]] : [])),
    );
    const drawn = graph.edges
      .filter((edge) => attributeOf(edge, 'relation') === 'uses')
      .flatMap(({ from, to }) =>
        layers.has(from) && layers.has(to) ? [`${layers.get(from)} ${layers.get(to)}`] : [],
      );
    const layerOf = (file: string) => (file.includes('/') ? `src/${file.split('/')[0]}` : undefined);
    const real = sourceFiles().flatMap((from) =>
      importsOf(from).flatMap(({ to, isPackage }) => {
        const [one, other] = [layerOf(from), isPackage ? undefined : layerOf(to)];
        return one && other && one !== other ? [`${one} ${other}`] : [];
      }),
    );
    expect(drawn.sort()).toEqual([...new Set(real)].sort());
  });

  it('has every decision as a rule', () => {
    const decisions = readdirSync(join(ROOT, 'docs', 'adr')).map((name) => `docs/adr/${name}`);
    const paths = nodes.map(({ path }) => path);
    expect(decisions.filter((path) => !paths.includes(path))).toEqual([]);
  });
});

// GuardKit verifies a tree without the rules that judge it.
describe.skipIf(!existsSync(join(ROOT, '.guardkit')))('[SELF-1] this repository’s own rules', () => {
  it('have no fault', async () => {
    const { files, faults } = await findConfigFaults(ROOT);
    expect(files.length).toBeGreaterThan(2);
    expect(faults).toEqual([]);
    const work = await readWork(ROOT);
    expect(work.faults).toEqual([]);
    expect(work.features.map(({ id }) => id)).toContain('FEAT-SELF');
  });

  it('verify with scripts that exist', () => {
    const config = readFileSync(join(ROOT, '.guardkit', 'config.yaml'), 'utf8');
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...config.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
