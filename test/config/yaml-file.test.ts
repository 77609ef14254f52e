import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { projectConfigSchema } from '../../src/config/project-config.ts';
import { readYamlFile, requireValid } from '../../src/config/yaml-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'guardkit-yaml-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'config.yaml');

async function read(text: string | Uint8Array, schema: z.ZodType = projectConfigSchema) {
  writeFileSync(file, text);
  return readYamlFile(file, schema);
}

/** Faults as `line:column message`. */
async function faults(text: string | Uint8Array, schema?: z.ZodType): Promise<string[]> {
  const result = await read(text, schema);
  return result.ok ? [] : result.faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
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
        message: `${join(folder, 'odd')} cannot be read (EISDIR)`,
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
    [
      'a key that is not known, at the key',
      '# ours\nprojekt: shop\n',
      ['2:1 unknown key "projekt"; did you mean project?'],
    ],
    [
      'a nested key that is not known',
      'store:\n  adress: x\n',
      ['2:3 store.url is missing', '2:3 unknown key "store.adress"'],
    ],
    [
      'a wrong type, at the value',
      'project:   12\n',
      ['1:12 project: expected string, received number, found 12'],
    ],
    ['a missing value', 'project:\n', ['1:9 project: expected string, received null, found null']],
    [
      'a missing key, at what should hold it',
      'embeddings:\n  model: m\n',
      ['2:3 embeddings.baseUrl is missing'],
    ],
    ['a key that stands twice', 'project: a\nproject: b\n', ['2:1 Map keys must be unique']],
    ['a tab as indentation', 'store:\n\turl: x\n', ['2:1 Tabs are not allowed as indentation']],
    [
      'a second document',
      'project: a\n---\nproject: b\n',
      ['2:1 a second document begins here; one is expected'],
    ],
    ['an alias to nothing', 'project: *nobody\n', ['1:10 nothing above is marked &nobody']],
    ['a list where a mapping is meant', '- a\n- b\n', ['1:1 a mapping (key: value) is expected']],
    ['a sentence where a mapping is meant', 'just text\n', ['1:1 a mapping (key: value) is expected']],
    ['a key that is no text', '? [a]\n: b\n', ['1:1 unknown key "[ a ]"']],
  ])('%s', async (_case, text, expected) => {
    expect(await faults(text)).toEqual(expected);
  });

  it('all of them at once, each as file:line:column', async () => {
    const result = await read('a: 1\nb: 2\n', z.strictObject({}));
    expect(() => requireValid(result)).toThrow(
      expect.objectContaining({
        code: 'config.invalid',
        kind: 'input',
        message: `${file}:1:1: unknown key "a"\n${file}:2:1: unknown key "b"`,
      }),
    );
  });

  it('and never tells a password that stands there [SEC-2]', async () => {
    const found = await faults('store:\n  url: mysql://me:hunter2secret@host/db\n');
    expect(found).toEqual(['2:8 store.url: a postgres:// address is expected']);
  });

  it('and a secret that stands elsewhere is scrubbed before it is shown [SEC-2]', async () => {
    const found = await faults(`project: postgres://${'me'.repeat(20)}:hunter2secret@host/db\n`);
    expect(found.join()).not.toContain('hunter2');
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
    expect(await faults(bomb.join('\n'))).toEqual([expect.stringMatching(/^1:1 .*alias/)]);
  });

  it('is not read beyond 1 MB', async () => {
    expect(await faults(`# ${'x'.repeat(1_100_000)}`)).toEqual(['1:1 the file is larger than 1 MB']);
  });

  it('cannot make objects of its own through tags', async () => {
    const result = await read('project: !!js/function "shop"\n');
    expect(result).toMatchObject({ ok: true, value: { project: 'shop' } });
  });

  it('of bytes that are no text is refused', async () => {
    expect(await faults(Buffer.from([0xff, 0xfe, 0x00, 0x01]))).not.toEqual([]);
  });
});
