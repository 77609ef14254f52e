import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { projectConfigSchema } from '../../../src/config/project/project-config.ts';
import { entityOverridesFileSchema } from '../../../src/config/rule-files/entity-overrides-file.ts';
import { qualityGatesFileSchema } from '../../../src/config/rule-files/quality-gates-file.ts';
import { type Fault, readYamlFile } from '../../../src/config/yaml/yaml-file.ts';
import { expectFaults } from '../../support/expect-faults.ts';
import { rows } from '../../support/thorough.ts';

const folder = mkdtempSync(join(tmpdir(), 'guardkit-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function faults(text: string | Uint8Array, schema: z.ZodType = projectConfigSchema): Promise<Fault[]> {
  const file = join(folder, 'config.yaml');
  writeFileSync(file, text);
  const result = await readYamlFile(file, schema);
  return result.ok ? [] : result.faults;
}

/** CPU time; far below a quadratic comparison. */
const MOST_CPU_MS = 15_000;

describe('a file made to keep its reader busy is refused soon:', () => {
  it.each(
    rows(1, [
      ['25,000 aliases', `a: &a x\nb: [${'*a,'.repeat(25_000)}x]\n`],
      [
        'aliases to as many marks',
        Array.from({ length: 15_000 }, (_, i) => `k${i}: [&m${i} x, *m${i}]`).join('\n'),
      ],
      ['25,000 keys', Array.from({ length: 25_000 }, (_, i) => `k${i}: 1`).join('\n')],
      ['a hundred thousand brackets', `project: ${'['.repeat(100_000)}`],
      [
        'a thousand levels of indentation',
        Array.from({ length: 1300 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      ],
      ['a file of 5 MB', `# ${'x'.repeat(5_000_000)}`],
    ]),
  )('%s', async (_case, text) => {
    const before = process.cpuUsage();
    expect(await faults(text)).not.toEqual([]);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(MOST_CPU_MS);
  });

  it('and of a thousand faults the first are shown and the rest counted', async () => {
    const text = Array.from({ length: 1000 }, (_, i) => `k${i}: 1`).join('\n');
    const found = await faults(text);
    expect(found).toHaveLength(201);
    expectFaults(found.slice(199), ['200:1 unknown-key k199', '200:1 more-faults 800']);
  });
});

describe('a fault in a hostile file has its place:', () => {
  it.each([
    ['a value that holds itself', 'project: &a [*a]\n', ['1:14 alias-cycle &a']],
    ['a mark that holds itself further down', 'verify: &v\n  checks:\n    - *v\n', ['3:7 alias-cycle &v']],
    ['an alias above its mark', 'project: *later\nverify: &later {}\n', ['1:10 unknown-alias &later']],
    ['a number as key', 'project: x\n\n12: x\n', ['3:1 unknown-key "12"']],
    ['a word such as true as key', 'project: x\ntrue: x\n', ['2:1 unknown-key "true"']],
    ['a key that stands twice, as number and as text', '1: a\n"1": b\n', ['2:1 duplicate-key']],
    ['an empty key', 'project: x\n~: x\n', ['2:1 unknown-key ""']],
    ['a merge key, which this YAML does not have', 'verify: &v {}\n<<: *v\n', ['2:1 unknown-key "<<"']],
    ['a key named __proto__', '__proto__: {project: x}\n', ['1:1 unknown-key "__proto__"']],
    ['a key that stands twice, deep inside', 'verify:\n  setup: a\n  setup: b\n', ['3:3 duplicate-key']],
    ['after a byte order mark', '\ufeffprojekt: x\n', ['1:1 unknown-key "projekt" project']],
    ['with line ends of Windows', '# a\r\nverify:\r\n  setp: x\r\n', ['3:3 unknown-key "verify.setp" setup']],
    ['bytes that are not UTF-8', Buffer.from('# ok\nproject: "Pr\xfcf"\n', 'latin1'), ['2:13 not-utf8']],
  ])('%s', async (_case, text, expected) => {
    expectFaults(await faults(text), expected);
  });

  it('a nesting without end', async () => {
    const found = await faults(`project: ${'['.repeat(5000)}${']'.repeat(5000)}`);
    expect(found).toMatchObject([{ line: 1, code: 'too-deep' }]);
  });

  it.each([
    ['a task type', 'quality_gate_configs:\n  __proto__:\n    overrides: []\n'],
    ['a role', 'role_constraints:\n  __proto__: {must_do_additions: [x]}\n'],
  ])('__proto__ as %s, which a record would drop without a word', async (_what, text) => {
    expectFaults(await faults(text, entityOverridesFileSchema), ['2:3 unknown-key __proto__']);
    expect({}).not.toHaveProperty('must_do_additions');
  });
});

describe('a number in a file', () => {
  const gate = (field: string) =>
    `quality_gate_configs:\n  - {task_type: feature, complexity_range: [1, 2], ${field}}\n`;

  it.each([
    'coverage_threshold: .nan',
    'coverage_threshold: .inf',
    'coverage_threshold: 1e999',
    'coverage_threshold: -0.1',
    'arch_review_threshold: 1e2000',
    'effective_from: 2026-01-01',
  ])('is refused as %s, with the value found', async (field) => {
    const found = await faults(gate(field), qualityGatesFileSchema);
    expect(found).toMatchObject([{ line: 2, code: 'invalid-value' }]);
    // JSON would show these numbers as null.
    expect(found[0]?.message).not.toContain('null');
  });

  it('is octal only in YAML 1.2 notation, otherwise decimal', async () => {
    expect(await faults(gate('arch_review_threshold: 0o12'), qualityGatesFileSchema)).toEqual([]);
    expect(await faults(gate('arch_review_threshold: 0099'), qualityGatesFileSchema)).toEqual([]);
  });
});

it('a key that is a prefix of others gets them as suggestions', async () => {
  const text = 'role_constraints: {coach: {must_do: [x]}}\n';
  expectFaults(await faults(text, entityOverridesFileSchema), [
    '1:28 unknown-key "role_constraints.coach.must_do" must_do_additions must_do_removals',
  ]);
});

it('a value that is too long to show is shown as cut', async () => {
  expect((await faults(`project: ${'v'.repeat(500)}`))[0]?.message).toMatch(/[^v]v{58}…/);
});
