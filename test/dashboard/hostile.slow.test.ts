import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureSchema } from '../../src/domain/entities/feature.ts';
import { findProject } from '../../src/enforcement/hooks/open-enforcement.ts';
import { findGitFolder } from '../../src/platform/git/git-folder.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { recordFeatures } from '../../src/store/ledger/tables/feature-table.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  CHROMIUM,
  commitAll,
  machine,
  openDashboard,
  openView,
  type Served,
  serve,
  startBrowser,
  watchedPage,
} from './browser.ts';

const PROJECT = 'hostile-1234';
const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>\u001b[31mred\u202etxt.exe\u0007';
/** As long as an entry of the ledger may be. */
const LONG = 'x'.repeat(900_000);
const GROUP = `${PROJECT}__failed_approaches`;

describe.skipIf(CHROMIUM === undefined)('hostile content in every field', () => {
  const ends: (() => void)[] = [];
  let env: NodeJS.ProcessEnv;
  let browser: Browser;
  let served: Served;

  beforeAll(async () => {
    const folder = temporaryFolder((remove) => ends.push(remove));
    env = { ...machine(folder), GIT_AUTHOR_NAME: '<script>alert(3)</script>' };
    const checkout = join(folder, 'checkout');
    commitAll(checkout, env, {
      '.guardkit/config.yaml': `project: ${PROJECT}\n`,
      '.guardkit/guards/hostile.yaml': [
        'id: hostile',
        'summary: <img src=x onerror=alert(4)>',
        'commands: [{program: "<script>"}]',
        'reason: </pre><script>alert(5)</script>',
        'guidance: <b>no</b>',
        '',
      ].join('\n'),
      '.maestro/knowledge.dot': [
        'digraph knowledge {',
        '  "a" [type="component", status="current", description="<script>alert(6)</script>", URL="javascript:alert(7)"];',
        '  "<script>alert(8)</script>" [type="component", label=<<b>x</b>>];',
        '  "a" -> "<script>alert(8)</script>" [relation="uses", href="javascript:alert(9)"];',
        '}',
        '',
      ].join('\n'),
    });
    const home = String(env.GUARDKIT_HOME);
    await record(home, checkout);
    await remember(home);
    served = serve(env);
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await served?.end();
    for (const end of ends) end();
  });

  it.each([
    'now',
    'features',
    'feature/FEAT-BAD',
    'feature/FEAT-LONG',
    'memory',
    `episode/${GROUP}/FAILED-1`,
    'guards',
    'guards/hostile',
    'learning',
    'architecture',
    'log',
    `guards/${encodeURIComponent(HOSTILE)}`,
    `episode/-/${encodeURIComponent(HOSTILE)}`,
    encodeURIComponent(HOSTILE),
  ])('%s shows it as text [DASH-3]', async (name) => {
    const { page, problems } = await watchedPage(browser);
    await page.goto(openDashboard(env));
    await page.waitForSelector('.page-head');
    await page.waitForSelector('main h2');
    // What is hostile is in the fragment too.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/${name}?project=${PROJECT}`);
    await page.waitForFunction(
      () =>
        document.querySelector('.loading') === null &&
        document.querySelector('main h1, main .problem, main .empty'),
    );
    const pictures = await page
      .locator('main img')
      .evaluateAll((all) => all.map((one) => one.getAttribute('src')));
    expect(pictures.filter((source) => !source?.startsWith('blob:'))).toEqual([]);
    expect(await page.locator('main script, main iframe, main object, main b').count()).toBe(0);
    const shown = `${await page.title()}${await page.locator('main').textContent()}`;
    for (const mark of ['\u001b', '\u202e', '\u0007']) expect(shown).not.toContain(mark);
    // A long name neither fills the page nor widens it.
    expect(shown.length).toBeLessThan(400_000);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(problems).toEqual([]);
  });

  it('search words and filter values are data', async () => {
    const { page, problems } = await watchedPage(browser);
    await page.goto(openDashboard(env));
    await page.waitForSelector('main h2');
    await openView(page, `#/memory?project=${PROJECT}`);
    for (const words of [HOSTILE, '"', "' OR 1=1 --", 'NEAR(', '*', '\\', '%']) {
      await page.fill('#search', words);
      await page.waitForFunction(() => document.querySelector('.loading') === null);
      expect([words, await page.locator('.problem').count()]).toEqual([words, 0]);
    }
    expect(problems).toEqual([]);
  });
});

async function record(home: string, checkout: string): Promise<void> {
  const ledger = openLedger({ path: join(home, 'ledger.db') });
  const features = [
    {
      id: 'FEAT-BAD',
      name: HOSTILE,
      description: HOSTILE,
      notes: HOSTILE,
      status: 'blocked',
      blocked_reason: HOSTILE,
    },
    { id: 'FEAT-LONG', name: LONG },
  ];
  for (const one of features)
    recordFeatures(ledger, PROJECT, {
      by: 'person',
      actor: 'guardkit',
      features: [featureSchema.parse(one)],
    });
  ledger.append(PROJECT, 'action_judged', {
    session: HOSTILE,
    agent: HOSTILE,
    agent_type: HOSTILE,
    action: HOSTILE,
    tool: HOSTILE,
    kind: 'command',
    summary: HOSTILE + LONG.slice(0, 500_000),
    attempted: HOSTILE,
    decision: 'deny',
    findings: [
      { guard: HOSTILE, decision: 'deny', reason: HOSTILE, guidance: HOSTILE, silent: null, waiver: null },
    ],
  });
  ledger.append(PROJECT, 'violation_recorded', {
    session: 's',
    agent: HOSTILE,
    agent_type: null,
    guard: HOSTILE,
    what: HOSTILE,
    path: HOSTILE,
    before_hash: null,
    found_hash: null,
    quarantined: null,
    restored: true,
    action: null,
  });
  const found = findGitFolder(checkout);
  if (found) await findProject(ledger, found, checkout);
  ledger.close();
}

async function remember(home: string): Promise<void> {
  const store = await openStore({ path: join(home, 'guardkit.db') });
  for (const why_it_failed of [HOSTILE, `${HOSTILE} again`, LONG])
    await store.upsert({
      group: GROUP,
      entity_type: 'note',
      entity_id: 'FAILED-1',
      body: { title: HOSTILE.slice(0, 200), text: why_it_failed, tags: [HOSTILE] },
      source: HOSTILE,
    });
  await store.upsert({
    group: `${PROJECT}__patterns`,
    entity_type: 'pattern',
    body: {
      pattern_id: 'PATTERN-1',
      what: HOSTILE,
      type: 'violation',
      agent: HOSTILE,
      guard: HOSTILE,
      attempted: HOSTILE,
      count: 3,
      features: [HOSTILE],
      sessions: 2,
      first_at: '2026-01-01T00:00:00.000Z',
      last_at: '2026-01-02T00:00:00.000Z',
      trend: 'rising',
      recent: 1,
      before: 1,
      examples: [],
      correct: [HOSTILE],
      attempts: [],
      actions: [],
      suggests: [{ what: 'new_guard', why: HOSTILE }],
      because: HOSTILE,
      weight: 'guard',
      origin: null,
    },
    source: 'test',
  });
  await store.close();
}
