import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  CHROMIUM,
  commitAll,
  guardkit,
  machine,
  openDashboard,
  openView,
  PROGRAM,
  type Served,
  serve,
  startBrowser,
  watchedPage,
} from './browser.ts';

const DEMO = fileURLToPath(new URL('../../scripts/demo', import.meta.url));
const HOSTILE = '<img src=x onerror=alert(1)></script><script>alert(2)</script>\u202etxt.exe';
const LINES = 5000;

/** A Player who writes a long file and disguises its report. */
const SCENARIO = {
  plan: '# Plan\n',
  turns: [
    {
      player: {
        write: {
          'src/long.js': Array.from(
            { length: LINES },
            (_, line) => `export const v${line} = '<b>${line}</b>';`,
          )
            .concat('')
            .join('\n'),
        },
        report: {
          decision: 'implemented',
          summary: HOSTILE,
          files_modified: ['src/long.js'],
          tests_passed: 1,
          tests_failed: 0,
          criteria: { 'AC-001': 'verified', 'AC-002': 'verified' },
        },
      },
      coach: {
        verdict: {
          decision: 'rejected',
          criteria: { 'AC-001': { status: 'rejected' }, 'AC-002': { status: 'rejected' } },
          arch_score: 10,
          feedback: HOSTILE,
          lessons: [HOSTILE],
          what_to_try_next: HOSTILE,
        },
      },
    },
  ],
};

describe.skipIf(CHROMIUM === undefined)('the dashboard during and after real builds', () => {
  const ends: (() => void)[] = [];
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let browser: Browser;
  let served: Served;
  let running: ChildProcess | undefined;

  beforeAll(async () => {
    folder = temporaryFolder((remove) => ends.push(remove));
    env = machine(folder);
    mkdirSync(String(env.GUARDKIT_HOME));
    browser = await startBrowser();
    served = serve(env);
  });

  afterAll(async () => {
    running?.kill('SIGTERM');
    await browser?.close();
    await served?.end();
    for (const end of ends) end();
  });

  it('a page opened before the first build follows a run to its end, without a reload [DASH-4]', async () => {
    const { page, problems } = await watchedPage(browser);
    await page.goto(openDashboard(env));
    await page.waitForSelector('main .empty');
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    const greetings = join(folder, 'greetings');
    cpSync(join(DEMO, 'run-project'), greetings, { recursive: true });
    commitAll(greetings, env, {});
    const scenario = join(DEMO, 'run-scenario.yaml');
    running = spawn(
      process.execPath,
      [PROGRAM, 'run', '--driver', 'script', '--scenario', scenario, '--max-turns', '1'],
      { cwd: greetings, env, stdio: 'ignore' },
    );
    const ended = new Promise((resolve) => running?.once('exit', resolve));
    await page.waitForSelector('.card.running', { timeout: 60_000 });
    await ended;
    await page.waitForFunction(() => document.querySelector('main')?.textContent?.includes('FEAT-SILENCE'));
    await page.waitForFunction(() => document.querySelector('.card.running') === null, null, {
      timeout: 30_000,
    });
    expect(await page.locator('.card .badge', { hasText: 'Blocked' }).count()).toBe(1);
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
    expect(problems).toEqual([]);
  });

  it('a diff of five thousand lines is drawn as far as it is visible, and hostile reports stay text [DASH-3]', async () => {
    const shop = join(folder, 'shop');
    cpSync(join(DEMO, 'project'), shop, { recursive: true });
    commitAll(shop, env, {});
    const scenario = join(folder, 'scenario.yaml');
    writeFileSync(scenario, stringify(SCENARIO));
    const args = [
      'feature-build',
      'TASK-001',
      '--driver',
      'script',
      '--scenario',
      scenario,
      '--max-turns',
      '1',
    ];
    // It fails: the work is not approved.
    expect(() => guardkit(args, shop, env)).toThrow();
    const { page, problems } = await watchedPage(browser);
    await page.goto(openDashboard(env));
    await page.waitForSelector('main h2');
    await openView(page, '#/feature/FEAT-SESSION/turn/1?project=shop-demo');
    await page.locator('.diff summary', { hasText: 'src/long.js' }).click();
    await page.waitForSelector('.line.added');
    expect(await page.locator('.line').count()).toBeLessThan(200);
    await page.evaluate(() => document.querySelector('.hunks .windowed')?.scrollTo(0, 1e6));
    await page.locator('.line.added', { hasText: `v${LINES - 1} ` }).waitFor();
    expect(await page.locator('main img, main script, .line b').count()).toBe(0);
    expect(await page.locator('main').textContent()).not.toContain('\u202e');
    expect(problems).toEqual([]);
  });

  it('a report shows the same turn from a file, without a server [DASH-3]', async () => {
    const out = join(folder, 'report');
    const shop = join(folder, 'shop');
    const { file } = JSON.parse(guardkit(['ui', '--static', out, '--json'], shop, env));
    expect(statSync(file).size).toBeGreaterThan(100_000);
    const { page, problems } = await watchedPage(browser);
    await page.goto(pathToFileURL(file).href);
    await page.locator('.sides').waitFor();
    await page.locator('.diff summary', { hasText: 'src/long.js' }).click();
    await page.waitForSelector('.line.added');
    expect(await page.locator('.connection').count()).toBe(0);
    await page.locator('nav a', { hasText: 'Features' }).click();
    await page.locator('.card.feature', { hasText: 'FEAT-SESSION' }).waitFor();
    expect(problems).toEqual([]);
  });
});
