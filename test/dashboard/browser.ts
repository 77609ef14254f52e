import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

const PROGRAM = fileURLToPath(new URL('../../bin/guardkit.js', import.meta.url));
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

export interface Served {
  url: string;
  child: ChildProcess;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** `guardkit ui`, as it is installed. */
export async function serve(env: NodeJS.ProcessEnv): Promise<Served> {
  const child = spawn(process.execPath, [PROGRAM, 'ui', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.once('line', (line) => resolve(JSON.parse(line).url));
    child.once('exit', (code) => reject(new Error(`guardkit ui ended with ${code}`)));
  });
  return {
    url,
    child,
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, 'exit');
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
