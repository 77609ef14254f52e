import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureSchema } from '../../src/domain/entities/feature.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { recordFeatures } from '../../src/store/ledger/tables/feature-table.ts';
import { documented, QueueProject } from '../support/queue-project.ts';
import {
  CHROMIUM,
  openDashboard,
  openView,
  type Served,
  serve,
  startBrowser,
  takePicture,
  violations,
  watchedPage,
} from './browser.ts';

const QUEUE = '#/queue?project=calc-1234';
const NOW = '#/now?project=calc-1234';
const HOSTILE =
  process.env.GUARDKIT_PICTURES === 'docs'
    ? 'No agent was started: the budget of FEAT-REFUND is spent.'
    : '<img src=x onerror=alert(1)>\u001b[31mred\u202etxt.exe';
const NAMES = ['LOGIN', 'CART', 'SEARCH', 'INVOICE', 'REFUND', 'EXPORT', 'THEMES', 'HELP'];

/** As the server has it in the middle of the work: two live workers, one that died, and features in every state. */
const STATE = `
INSERT INTO guardkit_queue.worker (id, host, pid, version, projects, concurrency) VALUES
  ('build-1-411-a1b2c3', 'build-1', 411, '0.1.0', '{calc-1234}', 1),
  ('build-2-87-d4e5f6', 'build-2', 87, '0.1.0', '{calc-1234}', 1),
  ('build-2-91-0a1b2c', 'build-2', 91, '0.1.0', '{calc-1234}', 1);
UPDATE guardkit_queue.worker SET ended_at = now(), why = 'no heartbeat' WHERE pid = 91;
INSERT INTO guardkit_queue.claim (project, feature, epoch, worker) VALUES
  ('calc-1234', 'FEAT-LOGIN', 1, 'build-1-411-a1b2c3');
UPDATE guardkit_queue.item SET state = 'building', began_at = now() WHERE feature IN ('FEAT-LOGIN', 'FEAT-CART');
UPDATE guardkit_queue.item SET state = 'queued' WHERE feature = 'FEAT-SEARCH';
UPDATE guardkit_queue.item SET state = 'completed', ended_at = now() WHERE feature = 'FEAT-EXPORT';
UPDATE guardkit_queue.item SET state = 'stopped', ended_at = now(), why = '${HOSTILE}' WHERE feature = 'FEAT-REFUND';
UPDATE guardkit_queue.item SET state = 'cancelled', ended_at = now(), why = 'Cancelled with guardkit queue cancel.'
  WHERE feature = 'FEAT-THEMES';
INSERT INTO guardkit_queue.reservation (project, feature, worker, usd, spent_usd) VALUES
  ('calc-1234', 'FEAT-EXPORT', 'build-1-411-a1b2c3', 1, 0.84),
  ('calc-1234', 'FEAT-LOGIN', 'build-1-411-a1b2c3', 1, NULL)`;

describe.skipIf(CHROMIUM === undefined)('queue and workers in chromium', () => {
  let project: QueueProject;
  let browser: Browser;
  let served: Served;
  let env: NodeJS.ProcessEnv;
  let beating: NodeJS.Timeout | undefined;

  beforeAll(async () => {
    const features = NAMES.map((name) =>
      documented(name, { needs: name === 'INVOICE' ? ['FEAT-REFUND', 'FEAT-CART'] : [] }),
    );
    project = await QueueProject.create(features);
    await project.queueJson('queue', 'init', '--budget-usd', '200');
    await project.queueJson('queue', 'add', ...features.map(({ id }) => id), '--budget-usd', '5');
    await project.sql(STATE);
    // Those that are alive stay so.
    const beat = 'UPDATE guardkit_queue.worker SET beat_at = clock_timestamp() WHERE ended_at IS NULL';
    beating = setInterval(() => void project.sql(beat).catch(() => undefined), 1000);
    // Without any record, the dashboard does not know the project.
    const ledger = openLedger({ path: join(project.sandbox.home, 'ledger.db') });
    recordFeatures(ledger, 'calc-1234', {
      by: 'person',
      actor: 'guardkit',
      features: features.map(({ id }) => featureSchema.parse({ id, name: id })),
    });
    ledger.close();
    env = { ...process.env, ...project.sandbox.env, GUARDKIT_DATABASE_URL: project.url };
    served = serve(env);
    browser = await startBrowser();
  });

  afterAll(async () => {
    clearInterval(beating);
    await browser?.close();
    await served?.end();
    await project?.cleanup();
  });

  async function signedIn() {
    const watched = await watchedPage(browser);
    await watched.page.goto(openDashboard(env));
    await watched.page.waitForSelector('.page-head');
    return watched;
  }

  it('shows what is built where, what waits for what, and which workers are alive [DASH-3]', async () => {
    const { page, problems } = await signedIn();
    await openView(page, QUEUE);
    const workers = await page.locator('.workers li').allTextContents();
    expect(workers).toHaveLength(3);
    expect(workers[0]).toContain('FEAT-LOGIN');
    expect(workers[2]).toContain('no heartbeat');
    const rows = await page.locator('.queued').allTextContents();
    const rowOf = (feature: string) => rows.find((row) => row.includes(`FEAT-${feature}`));
    expect(rows).toHaveLength(NAMES.length);
    expect(rowOf('LOGIN')).toContain('build-1');
    expect(rowOf('CART')).toContain('worker is gone');
    expect(rowOf('INVOICE')).toContain('needs FEAT-REFUND, FEAT-CART');
    expect(await page.locator('main').textContent()).toContain('$1.84 of $200.00');
    expect(await page.locator('main img').count()).toBe(0);
    for (const mark of ['\u001b', '\u202e']) expect(rowOf('REFUND')).not.toContain(mark);
    expect(problems).toEqual([]);
  });

  it('shows a change on another machine by itself [DASH-4]', async () => {
    const { page } = await signedIn();
    await openView(page, NOW);
    await page.locator('a', { hasText: 'Queue and workers' }).click();
    await page.waitForSelector('.queued');
    await project.sql(
      "UPDATE guardkit_queue.item SET state = 'blocked', ended_at = now(), why = 'Which tax?' WHERE feature = 'FEAT-HELP'",
    );
    await page.locator('.queued', { hasText: 'Which tax?' }).waitFor();
  });

  it('is accessible in both themes and narrow windows [DASH-3]', async () => {
    const { page, problems } = await signedIn();
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 768, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        for (const [name, view] of Object.entries({ queue: QUEUE, 'now-queue': NOW })) {
          await openView(page, view);
          await page.locator('h2', { hasText: name === 'queue' ? 'Workers' : 'Queue' }).waitFor();
          found.push(...(await violations(page)).map((one) => `${view} ${colorScheme} ${width}: ${one}`));
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (wide > 0) found.push(`${view} ${width}: ${wide} px too wide`);
          if (name === 'queue' || process.env.GUARDKIT_PICTURES !== 'docs')
            await takePicture(page, name, colorScheme, width);
        }
      }
    expect(found).toEqual([]);
    expect(problems).toEqual([]);
  });
});
