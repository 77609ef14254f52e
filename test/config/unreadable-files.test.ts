import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { qualityGatesPath, readRuleFiles } from '../../src/config/rule-files/rule-files.ts';
import { requireValid } from '../../src/config/yaml/yaml-file.ts';
import { projectWith } from '../rules/rule-sources-fixture.ts';

const IN_ITS_PLACE: [string, (path: string) => void][] = [
  ['a folder', (path) => mkdirSync(path)],
  ['a pipe that nobody writes into', (path) => execFileSync('mkfifo', [path])],
  ['a device without end', (path) => symlinkSync('/dev/zero', path)],
  ['a link that leads nowhere', (path) => symlinkSync('/nowhere/at/all', path)],
  ['a link to itself', (path) => symlinkSync('quality-gates.yaml', path)],
];

describe('instead of a file', () => {
  it.each(IN_ITS_PLACE)('%s is reported, with the faults of the other file', async (_what, make) => {
    const root = projectWith({ overrides: 'nonsense: 1\n' });
    make(qualityGatesPath(root));
    const result = await readRuleFiles(root);
    expect(result).toMatchObject({
      ok: false,
      faults: [
        {
          file: qualityGatesPath(root),
          line: 1,
          column: 1,
          code: 'unreadable',
        },
        { code: 'unknown-key', message: expect.stringContaining('nonsense') },
      ],
    });
    expect(() => requireValid(result)).toThrow(
      expect.objectContaining({ code: 'config.unreadable', kind: 'outside' }),
    );
  });

  it('a link to a file is that file', async () => {
    const root = projectWith({});
    writeFileSync(join(root, 'shared.yaml'), 'quality_gate_configs: []\n');
    symlinkSync(join(root, 'shared.yaml'), qualityGatesPath(root));
    expect(await readRuleFiles(root)).toMatchObject({ ok: true });
  });

  it.skipIf(process.getuid?.() === 0)('a file without read permission is reported', async () => {
    const root = projectWith({ gates: '' });
    chmodSync(qualityGatesPath(root), 0);
    expect(await readRuleFiles(root)).toMatchObject({
      ok: false,
      faults: [{ code: 'unreadable', message: expect.stringContaining('EACCES') }],
    });
  });
});

it('a file that is replaced again and again is read as one of its versions', async () => {
  const text = (threshold: number) =>
    `quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_threshold: ${threshold}}\n`;
  const root = projectWith({ gates: text(0.1) });
  for (let round = 1; round <= 40; round++) {
    const reading = readRuleFiles(root);
    if (round % 5 === 0) rmSync(qualityGatesPath(root));
    else writeFileSync(qualityGatesPath(root), text(round / 100));
    const { gates } = requireValid(await reading);
    const value = gates[0]?.values.coverage_threshold?.value;
    expect([undefined, 0.1, (round - 1) / 100]).toContain(value);
  }
});
