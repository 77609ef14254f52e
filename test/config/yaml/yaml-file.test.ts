import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { projectConfigSchema } from '../../../src/config/project/project-config.ts';
import { type Fault, readYamlFile, requireValid } from '../../../src/config/yaml/yaml-file.ts';
import { expectFaults } from '../../support/expect-faults.ts';

const folder = mkdtempSync(join(tmpdir(), 'guardkit-yaml-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'config.yaml');

async function read(text: string | Uint8Array, schema: z.ZodType = projectConfigSchema) {
  writeFileSync(file, text);
  return readYamlFile(file, schema);
}

async function faults(text: string | Uint8Array, schema?: z.ZodType): Promise<Fault[]> {
  const result = await read(text, schema);
  return result.ok ? [] : result.faults;
}

describe('a YAML file', () => {
  it.each([
    ['is absent', undefined],
    ['is empty', ''],
    ['holds only white space', ' \n\n'],
    ['holds only comments', '# nothing yet\n'],
  ])('that %s reads as an empty mapping', async (_case, text) => {
    const result =
      text === undefined ? await readYamlFile(join(folder, 'none'), projectConfigSchema) : await read(text);
    expect(result).toMatchObject({ ok: true, value: {} });
  });

  it('in a folder that is a file reads as absent', async () => {
    writeFileSync(join(folder, 'plain'), '');
    const result = await readYamlFile(join(folder, 'plain', 'config.yaml'), projectConfigSchema);
    expect(result).toMatchObject({ ok: true, value: {} });
  });

  it('that is a folder is refused, with the remedy', async () => {
    mkdirSync(join(folder, 'odd'));
    const result = await readYamlFile(join(folder, 'odd'), projectConfigSchema);
    expect(() => requireValid(result)).toThrow(
      expect.objectContaining({
        code: 'config.unreadable',
        kind: 'outside',
        message: expect.stringContaining(join(folder, 'odd')),
      }),
    );
  });

  it('gives the value by its schema', async () => {
    const text = 'project: shop\nstore: { url: "postgres://host/db" }\n';
    expect(requireValid(await read(text))).toEqual({ project: 'shop', store: { url: 'postgres://host/db' } });
  });
});

describe('a fault in a YAML file has its place:', () => {
  it.each([
    ['a key that is not known, at the key', '# ours\nprojekt: shop\n', ['2:1 unknown-key "projekt" project']],
    [
      'a nested key that is not known',
      'store:\n  adress: x\n',
      ['2:3 missing store.url', '2:3 unknown-key store.adress'],
    ],
    ['a wrong type, at the value', 'project:   12\n', ['1:12 invalid-value project string 12']],
    ['a missing value', 'project:\n', ['1:9 invalid-value project string null']],
    [
      'a missing key, at what should hold it',
      'embeddings:\n  model: m\n',
      ['2:3 missing embeddings.baseUrl'],
    ],
    ['a key that stands twice', 'project: a\nproject: b\n', ['2:1 duplicate-key']],
    ['a tab as indentation', 'store:\n\turl: x\n', ['2:1 syntax']],
    ['a second document', 'project: a\n---\nproject: b\n', ['2:1 several-documents']],
    ['an alias to nothing', 'project: *nobody\n', ['1:10 unknown-alias nobody']],
    ['a list where a mapping is meant', '- a\n- b\n', ['1:1 not-a-mapping']],
    ['a sentence where a mapping is meant', 'just text\n', ['1:1 not-a-mapping']],
    ['a key that is no text', '? [a]\n: b\n', ['1:1 unknown-key [ a ]']],
  ])('%s', async (_case, text, expected) => {
    expectFaults(await faults(text), expected);
  });

  it('all of them at once, each as file:line:column', async () => {
    const result = await read('a: 1\nb: 2\n', z.strictObject({}));
    expect(() => requireValid(result)).toThrow(
      expect.objectContaining({
        code: 'config.invalid',
        kind: 'input',
        message: expect.toSatisfy((message: string) =>
          message.split('\n').every((line, index) => line.startsWith(`${file}:${index + 1}:1: `)),
        ),
      }),
    );
  });

  it('and never shows a password [SEC-2]', async () => {
    const found = await faults('store:\n  url: mysql://me:hunter2secret@host/db\n');
    expectFaults(found, ['2:8 invalid-value store.url postgres://']);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('and secrets in other values are scrubbed [SEC-2]', async () => {
    const found = await faults(`project: postgres://${'me'.repeat(20)}:hunter2secret@host/db\n`);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });
});

describe('a hostile YAML file', () => {
  it('cannot fill the memory through aliases', async () => {
    const levels = ['a', 'b', 'c', 'd', 'e', 'f'];
    const bomb = levels.map((name, index) => {
      const before = levels[index - 1];
      return `${name}: &${name} [${Array(10)
        .fill(before ? `*${before}` : 'x')
        .join(',')}]`;
    });
    expectFaults(await faults(bomb.join('\n')), ['1:1 alias-expansion']);
  });

  it('is not read beyond 1 MB', async () => {
    expectFaults(await faults(`# ${'x'.repeat(1_100_000)}`), ['1:1 too-large']);
  });

  it('cannot create objects through tags', async () => {
    const result = await read('project: !!js/function "shop"\n');
    expect(result).toMatchObject({ ok: true, value: { project: 'shop' } });
  });

  it('of bytes that are no text is refused', async () => {
    expectFaults(await faults(Buffer.from([0xff, 0xfe, 0x00, 0x01])), ['1:1 not-utf8']);
  });
});
