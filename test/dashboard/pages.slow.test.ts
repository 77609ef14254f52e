import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureSchema } from '../../src/domain/entities/feature.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { recordFeatures } from '../../src/store/ledger/tables/feature-table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  CHROMIUM,
  commitAll,
  guardkit,
  machine,
  openDashboard,
  openView,
  type Served,
  serve,
  startBrowser,
  takePicture,
  violations,
  watchedPage,
} from './browser.ts';
import { recordMonth } from './month-of-work.ts';
import { SHOP_GRAPHS } from './shop-graph.ts';

const DEMO = fileURLToPath(new URL('../../scripts/demo', import.meta.url));
const PROJECT = 'large-1234';
const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>\u001b[31mred\u202etxt.exe';
const VIEWS = {
  now: '#/now?project=shop-demo',
  features: '#/features?project=shop-demo',
  feature: '#/feature/FEAT-SESSION/turn/1?project=shop-demo',
  memory: '#/memory?project=shop-demo',
  episode: '#/episode/-/TURN-FEAT-SESSION-1?project=shop-demo',
  guards: '#/guards?project=shop-demo',
  guard: '#/guards/block-tested-true?project=shop-demo',
  learning: '#/learning?project=shop-demo',
  architecture: '#/architecture?project=shop-demo',
  log: '#/log?project=shop-demo',
  health: '#/health?project=shop-demo',
};

const BACKLOG = [
  { id: 'FEAT-LOGIN', name: 'Log in with a passkey', status: 'completed', priority: 1 },
  { id: 'FEAT-CART', name: 'A cart that survives a restart', status: 'in_progress', priority: 1 },
  {
    id: 'FEAT-REFUND',
    name: 'Refund an order',
    status: 'blocked',
    priority: 2,
    blocked_reason: 'Should a refund also cancel the invoice? The task and the rule disagree.',
  },
  { id: 'FEAT-INVOICE', name: 'Send invoices as PDF', dependencies: ['FEAT-REFUND'], priority: 2 },
  { id: 'FEAT-SEARCH', name: 'Search products by colour', priority: 4 },
];

describe.skipIf(CHROMIUM === undefined)('the dashboard in chromium', () => {
  let browser: Browser;
  let served: Served;
  let env: NodeJS.ProcessEnv;
  const ends: (() => void)[] = [];

  beforeAll(async () => {
    const folder = temporaryFolder((remove) => ends.push(remove));
    env = machine(folder);
    const shop = join(folder, 'shop');
    cpSync(join(DEMO, 'project'), shop, { recursive: true });
    for (const [message, graph] of Object.entries(SHOP_GRAPHS))
      commitAll(shop, env, { '.maestro/knowledge.dot': graph }, message);
    mkdirSync(String(env.GUARDKIT_HOME));
    recordMonth(String(env.GUARDKIT_HOME), 'shop-demo');
    guardkit(
      ['feature-build', 'TASK-001', '--driver', 'script', '--scenario', join(DEMO, 'scenario.yaml')],
      shop,
      env,
    );
    record([
      ...Array.from({ length: 2000 }, (_, index) => ({
        id: `FEAT-${index}`,
        name: `Feature ${index} ${HOSTILE}`,
        status: ['pending', 'in_progress', 'completed'][index % 3],
      })),
      { id: 'FEAT-BLOCKED', name: HOSTILE, status: 'blocked', blocked_reason: HOSTILE, notes: HOSTILE },
      { id: 'FEAT-LONG', name: 'x'.repeat(300_000), description: 'y'.repeat(300_000) },
    ]);
    record(BACKLOG, 'shop-demo');
    served = serve(env);
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await served?.end();
    for (const end of ends) end();
  });

  function record(features: readonly Record<string, unknown>[], project = PROJECT) {
    const ledger = openLedger({ path: join(String(env.GUARDKIT_HOME), 'ledger.db') });
    try {
      recordFeatures(ledger, project, {
        by: 'person',
        actor: 'guardkit',
        features: features.map((one) => featureSchema.parse(one)),
      });
    } finally {
      ledger.close();
    }
  }

  /** A page that is signed in. */
  async function signedIn() {
    const watched = await watchedPage(browser);
    await watched.page.goto(openDashboard(env));
    await watched.page.waitForSelector('.page-head');
    return watched;
  }

  it('every view of a real build is accessible, in both themes and narrow windows [DASH-3]', async () => {
    const { page, problems } = await signedIn();
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 768, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        for (const [name, view] of Object.entries(VIEWS)) {
          await openView(page, view);
          found.push(...(await violations(page)).map((one) => `${view} ${colorScheme} ${width}: ${one}`));
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (wide > 0) found.push(`${view} ${width}: ${wide} px too wide`);
          await takePicture(page, name, colorScheme, width);
        }
      }
    expect(found).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('a turn shows the claim beside what was found, and a file’s diff when it is opened', async () => {
    const { page, problems } = await signedIn();
    await openView(page, '#/feature/FEAT-SESSION/turn/1?project=shop-demo');
    const sides = await page.locator('.sides').textContent();
    expect(sides).toContain('8 passed');
    expect(sides).toContain('1 passed');
    expect(await page.locator('.line').count()).toBe(0);
    await page.locator('.diff summary', { hasText: 'src/renew.js' }).click();
    await page.waitForSelector('.line.added');
    await page.locator('.timeline a', { hasText: 'Turn 2' }).click();
    await page.waitForFunction(() => location.hash.includes('/turn/2'));
    expect(await page.locator('.timeline a[aria-current]').textContent()).toContain('approved');
    expect(problems).toEqual([]);
  });

  it('hostile texts stay text, and two thousand features are shown without drawing them all [DASH-3]', async () => {
    const { page, problems } = await signedIn();
    await openView(page, `#/features?project=${PROJECT}`);
    expect(await page.locator('.count').allTextContents()).toContain('667');
    expect(await page.locator('.card.feature').count()).toBeLessThan(150);
    const began = Date.now();
    await page.fill('#search', 'FEAT-1999');
    await page.waitForFunction(() => document.querySelectorAll('.card.feature').length === 1);
    expect(Date.now() - began).toBeLessThan(3000);
    for (const hash of [
      `#/now?project=${PROJECT}`,
      `#/feature/FEAT-BLOCKED?project=${PROJECT}`,
      `#/feature/FEAT-LONG?project=${PROJECT}`,
    ]) {
      await openView(page, hash);
      expect(await page.locator('main img, main script').count()).toBe(0);
      const shown = await page.locator('main').textContent();
      for (const mark of ['\u001b', '\u202e']) expect(shown).not.toContain(mark);
    }
    expect(problems).toEqual([]);
  });

  it('a change appears without a reload, also after the server was killed and came back [DASH-4]', async () => {
    const { page } = await signedIn();
    await openView(page, `#/now?project=${PROJECT}`);
    record([{ id: 'FEAT-LIVE', name: 'Live', status: 'blocked', blocked_reason: 'What now?' }]);
    await page.waitForFunction(() => document.querySelector('main')?.textContent?.includes('What now?'));
    await served.end('SIGKILL');
    await page.waitForFunction(() => document.querySelector('.connection')?.textContent === 'Reconnecting…');
    record([{ id: 'FEAT-LATER', name: 'Later', status: 'blocked', blocked_reason: 'And then?' }]);
    served = serve(env);
    await page.waitForFunction(() => document.querySelector('main')?.textContent?.includes('And then?'));
    await page.waitForFunction(() => document.querySelector('.connection')?.textContent === 'Live');
  });

  it('a hidden tab closes its stream, and continues where it was when it is shown again [DASH-4]', async () => {
    const { page } = await signedIn();
    await openView(page, `#/now?project=${PROJECT}`);
    await page.waitForFunction(() => document.querySelector('.connection')?.textContent === 'Live');
    const show = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    const isStream = (request: { url(): string }) => request.url().includes('/api/events');
    const closed = page.waitForEvent('requestfailed', isStream);
    await show(true);
    await closed;
    const opened = page.waitForRequest(isStream);
    await show(false);
    expect((await opened).headers()['last-event-id']).toMatch(/^\d+$/);
  });

  it('keys open every view and the search', async () => {
    const { page, problems } = await signedIn();
    await openView(page, '#/now?project=shop-demo');
    for (const [key, view] of Object.entries({ f: 'features', g: 'guards', e: 'learning', m: 'memory' })) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForFunction((name) => location.hash.startsWith(`#/${name}`), view);
    }
    await page.waitForSelector('#search');
    await page.keyboard.press('/');
    await page.keyboard.type('session renewal');
    expect(await page.inputValue('#search')).toBe('session renewal');
    expect(problems).toEqual([]);
  });

  it('memory is searched while a person types, and an episode leads to the next', async () => {
    const { page, problems } = await signedIn();
    await openView(page, '#/memory?project=shop-demo');
    await page.fill('#search', 'TURN-FEAT-SESSION-1');
    await page.waitForFunction(() =>
      document.querySelector('.results li')?.textContent?.includes('TURN-FEAT-SESSION-TASK-001-T1'),
    );
    await page.click('.results a');
    await page.waitForSelector('.fields');
    await page.locator('.timeline button', { hasText: 'version 2' }).click();
    await page.waitForSelector('.changes .added');
    await page.locator('.sides a', { hasText: 'TRACE-TURN' }).click();
    await page.locator('.meta', { hasText: 'TRACE-TURN' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('a used address leads to a page that says what to do', async () => {
    const url = openDashboard(env);
    const first = await watchedPage(browser);
    await first.page.goto(url);
    await first.page.waitForSelector('.page-head');
    expect(await first.page.evaluate(() => location.hash)).not.toContain('ticket');
    const second = await watchedPage(browser);
    await second.page.goto(url);
    await second.page.waitForSelector('.signed-out');
    expect(await second.page.locator('.command code').textContent()).toBe('guardkit ui');
  });
});
