import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { featureSchema } from '../../../src/domain/entities/feature.ts';
import { writeCiReport, writeReport } from '../../../src/interfaces/dashboard/report/write-report.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { recordFeatures } from '../../../src/store/ledger/tables/feature-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PROJECT = 'shop-1234';
const HOSTILE = '</script><script>alert(1)</script><!--';

async function reportOf(features: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  const ledger = openLedger({ path: join(folder, 'ledger.db') });
  recordFeatures(ledger, PROJECT, {
    by: 'person',
    actor: 'guardkit',
    features: ['FEAT-1', 'FEAT-2'].map((id) =>
      featureSchema.parse({ id, name: HOSTILE, description: HOSTILE }),
    ),
  });
  ledger.close();
  const file = await writeReport({
    dataFolder: folder,
    env: {},
    folder: join(folder, 'out', 'deep'),
    project: PROJECT,
    features,
    run: async () => ({ exitCode: 0, stdout: '{}', stderr: '' }),
  });
  return readFileSync(file, 'utf8');
}

const dataOf = (page: string) =>
  JSON.parse(/<script type="application\/json" id="guardkit-report">(.*?)<\/script>/s.exec(page)?.[1] ?? '');

it('a report is one file in which only our own script and style run, by hash [DASH-3]', async () => {
  const page = await reportOf(['FEAT-1']);
  const csp = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
  expect(csp).toContain("default-src 'none'");
  expect(csp).not.toMatch(/unsafe|http|\*|connect-src/);
  const parts = {
    script: /<script type="module">(.*?)<\/script>/s.exec(page)?.[1] ?? '',
    style: /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? '',
  };
  for (const [kind, text] of Object.entries(parts)) {
    const hash = createHash('sha256').update(text).digest('base64');
    expect(csp).toContain(`${kind}-src 'sha256-${hash}'`);
  }
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page).not.toMatch(/<(?:link|img|iframe)|src="http/);
});

it('a report of one feature starts with it, and contains no other feature in full', async () => {
  const { start, answers, project } = dataOf(await reportOf(['FEAT-1']));
  expect([start, project]).toEqual(['feature/FEAT-1', PROJECT]);
  expect(Object.keys(answers).sort()).toEqual([
    `feature?id=FEAT-1&project=${PROJECT}`,
    `features?project=${PROJECT}`,
  ]);
  expect(answers[`feature?id=FEAT-1&project=${PROJECT}`].description).toBe(HOSTILE);
});

it('the whole page takes at most 120 kB, compressed', () => {
  const size = (name: string) =>
    gzipSync(readFileSync(new URL(`../../../dist/dashboard/${name}`, import.meta.url))).length;
  const bytes = size('app.js') + size('style.css') + size('index.html') + size('icon.svg');
  expect([bytes > 10_000, bytes <= 120_000]).toEqual([true, true]);
});

it('a feature that does not exist is named', async () => {
  await expect(reportOf(['FEAT-9'])).rejects.toMatchObject({ code: 'dashboard.unknown' });
});

it('the result for a branch becomes a report of its own', () => {
  const folder = temporaryFolder();
  const gates = [{ gate: 'tests', result: 'fail', required: true, reason: HOSTILE }];
  const file = writeCiReport({
    folder,
    project: 'shop',
    result: {
      outcome: 'fail',
      head: 'a'.repeat(40),
      base: 'b'.repeat(40),
      base_is: 'merge base with main',
      sandbox: null,
      gates,
      claims: [],
      findings: [{ gate: 'tests', level: 'error', path: 'src/a.js', line: 3, message: HOSTILE }],
    },
  });
  const { start, answers } = dataOf(readFileSync(file, 'utf8'));
  expect(start).toBe('ci');
  expect(answers.ci.findings).toMatchObject([{ path: 'src/a.js', message: HOSTILE }]);
});
