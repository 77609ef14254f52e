import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureSchema } from '../../src/domain/entities/feature.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { recordFeatures } from '../../src/store/ledger/tables/feature-table.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  CHROMIUM,
  commitAll,
  machine,
  openDashboard,
  type Served,
  serve,
  startBrowser,
  watchedPage,
} from './browser.ts';

const PROJECT = 'large-1234';
const FEATURES = 2000;
const EPISODES = 100_000;
/** On an idle machine: GUARDKIT_MEASURE=1 GUARDKIT_TESTS=all npx vitest run test/dashboard/large */
const MEASURES = process.env.GUARDKIT_MEASURE === '1';
const FIRST_VIEW_MS = MEASURES ? 1000 : 20_000;
const INTERACTION_MS = MEASURES ? 100 : 5000;

/** In the page; see `step`. */
declare const type: (text: string) => void;
declare const click: (selector: string) => void;

/** Times are judged only where nothing else runs; otherwise the page must only stay usable. */
describe.skipIf(CHROMIUM === undefined)('two thousand features and a hundred thousand episodes', () => {
  const ends: (() => void)[] = [];
  let browser: Browser;
  let served: Served;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const folder = temporaryFolder((remove) => ends.push(remove));
    env = machine(folder);
    const checkout = join(folder, 'large');
    commitAll(checkout, env, { '.guardkit/config.yaml': `project: ${PROJECT}\n` });
    await fill(String(env.GUARDKIT_HOME), checkout);
    served = serve(env);
    browser = await startBrowser();
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await served?.end();
    for (const end of ends) end();
  });

  it('the first view and every step in it are quick', async () => {
    const { page, problems } = await watchedPage(browser);
    // The thread that reads has started, as in a dashboard in use.
    await page.goto(openDashboard(env));
    await page.waitForSelector('main h2');
    const times: Record<string, number> = {};
    const time = async (name: string, act: () => Promise<unknown>) => {
      const began = performance.now();
      await act();
      times[name] = Math.round(performance.now() - began);
    };
    /** In the page, from the event to the frame that shows its result, without the time that the test's own tools take. */
    const step = async (name: string, act: () => void, isDone: () => boolean) => {
      times[name] = await page.evaluate(`(async () => {
        const type = (text) => {
          const field = document.querySelector('#search');
          field.value = text;
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        };
        const click = (selector) => document.querySelector(selector).click();
        const frame = () => new Promise(requestAnimationFrame);
        const began = performance.now();
        (${act})();
        do await frame(); while (!(${isDone})());
        await frame();
        return Math.round(performance.now() - began);
      })()`);
    };
    const origin = new URL(page.url()).origin;
    await time('first view', async () => {
      await page.goto(`${origin}/#/now?project=${PROJECT}`);
      await page.reload();
      await page.waitForSelector('main h2');
    });
    await time('first view of the features', () => view(page, 'features', '.card.feature'));
    await step(
      'search a feature',
      () => type('FEAT-1999'),
      () => document.querySelectorAll('.card.feature').length === 1,
    );
    await step(
      'filter the features',
      () => {
        type('');
        click('.chips button:nth-of-type(2)');
      },
      () => document.querySelectorAll('.column').length === 1,
    );
    await step(
      'scroll a column',
      () => {
        click('.chips button:nth-of-type(1)');
        document.querySelector('.windowed')?.scrollTo(0, 40_000);
      },
      () => Number(document.querySelector('.slot')?.getAttribute('aria-posinset')) > 100,
    );
    await time('first view of memory', () => view(page, 'memory', '.results li'));
    await step(
      'search memory',
      () => type('approach number 77777'),
      () => document.querySelector('.results li')?.textContent?.includes('77777') === true,
    );
    await step(
      'open an episode',
      () => click('.results li a'),
      () => document.querySelector('.fields') !== null,
    );
    if (process.env.GUARDKIT_MEASURE) console.log(JSON.stringify(times));
    const slow = Object.entries(times).filter(
      ([name, ms]) => ms > (name.startsWith('first view') ? FIRST_VIEW_MS : INTERACTION_MS),
    );
    expect(slow).toEqual([]);
    expect(problems).toEqual([]);
  });

  async function view(page: Page, name: string, shows: string): Promise<void> {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/${name}?project=${PROJECT}`);
    await page.waitForSelector(shows);
  }
});

async function fill(home: string, checkout: string): Promise<void> {
  const ledger = openLedger({ path: join(home, 'ledger.db') });
  const features = Array.from({ length: FEATURES }, (_, index) => ({
    id: `FEAT-${index}`,
    name: `Feature ${index}`,
    status: ['pending', 'in_progress', 'completed', 'blocked'][index % 4],
    blocked_reason: index % 4 === 3 ? 'Which one?' : null,
    dependencies: index > 0 ? [`FEAT-${index - 1}`] : [],
  }));
  recordFeatures(ledger, PROJECT, {
    by: 'person',
    actor: 'guardkit',
    features: features.map((one) => featureSchema.parse(one)),
  });
  ledger.close();
  const { findProject } = await import('../../src/enforcement/hooks/open-enforcement.ts');
  const { findGitFolder } = await import('../../src/platform/git/git-folder.ts');
  const again = openLedger({ path: join(home, 'ledger.db') });
  const found = findGitFolder(checkout);
  if (found) await findProject(again, found, checkout);
  again.close();
  const store = await openStore({ path: join(home, 'guardkit.db') });
  for (let from = 0; from < EPISODES; from += 1000)
    await store.upsertMany(
      Array.from({ length: 1000 }, (_, index) => ({
        group: `${PROJECT}__failed_approaches`,
        entity_type: 'failed_approach',
        body: {
          feature_id: `FEAT-${(from + index) % FEATURES}`,
          approach: `Approach number ${from + index}`,
          why_it_failed: `The cache of part ${index % 97} went stale after ${index % 13} turns.`,
        },
        source: 'test',
      })),
    );
  await store.close();
}
