import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findServer } from '../../src/enforcement/broker/server-record.ts';
import { isRunning } from '../../src/platform/processes/process-table.ts';

export const PROGRAM = fileURLToPath(new URL('../../bin/guardkit.js', import.meta.url));
const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));
/** Pictures for the documentation: GUARDKIT_PICTURES=docs GUARDKIT_TESTS=all npx vitest run test/dashboard */
const PICTURES = process.env.GUARDKIT_PICTURES;
const AXE = fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url));
/** Of Debian's package, which `scripts/install-test-tools.js` installs. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

/** Variables of a machine of its own. */
export function machine(folder: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    GUARDKIT_HOME: `${folder}/home`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'test',
    GIT_AUTHOR_EMAIL: 'test@example.invalid',
    GIT_COMMITTER_NAME: 'test',
    GIT_COMMITTER_EMAIL: 'test@example.invalid',
  };
}

export function guardkit(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): string {
  return execFileSync(process.execPath, [PROGRAM, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

/** A repository with these files in one commit. */
export function commitAll(
  folder: string,
  env: NodeJS.ProcessEnv,
  files: Readonly<Record<string, string>>,
  message = 'start',
): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const args of [
    ['-c', 'init.defaultBranch=main', 'init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', message],
  ])
    execFileSync('git', args, { cwd: folder, env });
}

export interface Served {
  url: string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** `guardkit ui`, as it is installed: the resident process serves it. */
export function openDashboard(env: NodeJS.ProcessEnv): string {
  return JSON.parse(guardkit(['ui', '--json'], '/', env)).url;
}

export function serve(env: NodeJS.ProcessEnv): Served {
  const url = openDashboard(env);
  const server = findServer(String(env.GUARDKIT_HOME));
  if (!server) throw new Error('no resident process runs');
  return {
    url,
    async end(signal = 'SIGTERM') {
      if (!isRunning(server)) return;
      process.kill(server.pid, signal);
      while (isRunning(server)) await delay(20);
    },
  };
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
}

/** A page that reports errors, dialogs and requests to elsewhere. */
export async function watchedPage(browser: Browser): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML/i.test(message.text())) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!['127.0.0.1', ''].includes(new URL(request.url()).hostname))
      problems.push(`request: ${request.url()}`);
  });
  return { page, problems };
}

/** Opens a view and waits until it has been read. */
export async function openView(page: Page, hash: string): Promise<void> {
  await page.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);
  await page.waitForFunction(
    (wanted) =>
      location.hash === wanted &&
      document.querySelector('main h1') !== null &&
      document.querySelector('.loading') === null,
    hash,
  );
}

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** What axe-core finds. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // Not as a script element, which our Content-Security-Policy refuses.
    const session = await page.context().newCDPSession(page);
    const { readFileSync } = await import('node:fs');
    await session.send('Runtime.evaluate', { expression: `${readFileSync(AXE, 'utf8')};0` });
    await session.detach();
  }
  const { violations: found } = (await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<unknown> } }).axe.run(),
  )) as AxeResult;
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary ?? ''}`);
}

/** In `docs`: one picture per view, some in the dark. In another folder: every combination, to look at. */
export async function takePicture(
  page: Page,
  name: string,
  colorScheme: string,
  width: number,
): Promise<void> {
  if (PICTURES === 'docs') {
    const isDark = ['guards', 'architecture'].includes(name);
    if (width !== 1280 || (colorScheme === 'dark') !== isDark) return;
    await page.screenshot({ path: join(DOCS, 'pictures', `${name}.png`) });
    if (name === 'feature') await page.screenshot({ path: join(DOCS, 'dashboard.png') });
  } else if (PICTURES)
    await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true });
}
