import { afterAll, describe, expect, it } from 'vitest';
import { findBrowser } from '../../../src/verification/checks/run-check.ts';
import { rows } from '../../support/thorough.ts';
import { gate, HONEST_CHANGE, VerifiedProject } from '../../support/verified-project.ts';

const BROWSER = findBrowser();
const noBrowser = BROWSER === undefined ? ' (skipped: no browser is installed here)' : '';

/** A server with a short startup delay. */
const SERVER = `import { createServer } from 'node:http';
const pages = {
  '/': '<html><head><title>Shop</title></head><body><h1>Prices</h1></body></html>',
  '/script': '<html><body><p id="a"></p><script>document.getElementById("a").textContent = "made " + "by a script";</script></body></html>',
  '/blank': '<html><head><title>Only a title</title></head><body><script>throw new Error("broken")</script></body></html>',
  '/items': '{"items":[{"name":"pen"}],"none":[]}',
};
setTimeout(() => createServer((request, response) => {
  const page = pages[request.url];
  response.statusCode = page ? 200 : 404;
  response.end(page ?? 'nothing here');
}).listen(Number(process.argv[2]), '127.0.0.1'), 200);
`;

/** A separate port each, for machines without a sandbox loopback. */
const at = (port: number, path: string) => `http://127.0.0.1:${port}${path}, start: node server.mjs ${port}`;

/** All tasks are documentation, so that only the checks run. */
const TASKS: Record<string, string> = {
  STATUS: `[{name: shop, http: ${at(18201, '/')}, expect: {status: 200, text: Prices}}]`,
  MISSING: `[{name: shop, http: ${at(18202, '/none')}}]`,
  WRONG: `[{name: shop, http: ${at(18203, '/')}, expect: {status: 404}}]`,
  ITEMS: `[{name: items, http: ${at(18204, '/items')}, expect: {non_empty: '$.items[0].name'}}]`,
  EMPTY: `[{name: items, http: ${at(18205, '/items')}, expect: {non_empty: $.none}}, {name: list, command: printf '', expect: {non_empty: stdout}}]`,
  NEVER: `[{name: shop, http: http://127.0.0.1:18208/, start: sleep 600, timeout: 1}]`,
  ENDS: `[{name: shop, http: http://127.0.0.1:18209/, start: 'echo cannot start; exit 3', timeout: 60}]`,
  NOBODY: `[{name: shop, http: http://127.0.0.1:18210/, timeout: 1}]`,
  TESTS:
    '[{name: smoke, command: node --test, expect: {min_tests: 2}}, {name: many, command: node --test, expect: {min_tests: 50}}]',
  SLOW: '[{name: slow, command: sleep 600, timeout: 1}]',
  PAGE: `[{name: page, browser: ${at(18206, '/script')}, expect: {text: made by a script}}]`,
  BLANK: `[{name: page, browser: ${at(18207, '/blank')}}]`,
  DRIVEN: '[{name: driven, browser: node --test}]',
};

const task = (name: string, checks: string, more = '') =>
  `---\nid: TASK-${name}\ntitle: Work\ntask_type: documentation\ncomplexity: 1\n${more}verify:\n  checks: ${checks}\n---\n## Acceptance Criteria\n- it works\n`;

const UI = ['PAGE', 'BLANK', 'DRIVEN', 'STATUS'];
const project = new VerifiedProject({
  '.guardkit/config.yaml': 'project: calc-1234\n',
  'package.json': '{"name":"calc","type":"module"}\n',
  'server.mjs': SERVER,
  ...Object.fromEntries(
    Object.entries(TASKS).map(([name, checks]) => [
      `tasks/TASK-${name}.md`,
      task(name, checks, UI.includes(name) ? 'ui: true\n' : ''),
    ]),
  ),
});
project.write({
  ...HONEST_CHANGE,
  'test/more.test.js': "import test from 'node:test';\ntest('one', () => {});\n",
});
afterAll(() => project.cleanup());

const verify = (name: string) => project.verify([`TASK-${name}`]);

describe.concurrent('a check over http', () => {
  it('passes by status and text, with its own server; the ui gate requires a browser', async () => {
    const { json, exitCode } = await verify('STATUS');
    expect(gate(json, 'checks')).toMatchObject({
      result: 'pass',
      required: true,
      reason: expect.stringContaining('shop'),
    });
    expect(exitCode).toBe(1);
    expect(gate(json, 'ui')).toMatchObject({
      result: 'absent',
      required: true,
      reason: expect.stringContaining('`browser:`'),
    });
  });

  const REFUSED: [name: string, id: string, reason: RegExp][] = [
    ['fails on an error status', 'MISSING', /shop: .*\b404\b/],
    ['fails if its server never answers', 'NEVER', /shop: /],
    ['fails if its server ends', 'ENDS', /shop: .*`start`.*\b3\b/],
    ['fails on an unexpected status', 'WRONG', /shop: .*\b200\b.*\b404\b/],
    ['fails without a server', 'NOBODY', /shop: .*ECONNREFUSED/],
  ];
  for (const [name, id, reason] of rows(3, REFUSED))
    it(name, async () => {
      const { json, exitCode } = await verify(id);
      expect(exitCode).toBe(1);
      expect(gate(json, 'checks')).toMatchObject({
        result: 'fail',
        required: true,
        reason: expect.stringMatching(reason),
      });
    });

  it('finds expected data', async () => {
    const { json, exitCode, stdout } = await verify('ITEMS');
    expect(exitCode, stdout).toBe(0);
    expect(gate(json, 'non-empty')).toMatchObject({
      result: 'pass',
      required: true,
      reason: expect.stringContaining('items'),
    });
  });

  it('names the empty value', async () => {
    const { json, exitCode } = await verify('EMPTY');
    expect(exitCode).toBe(1);
    expect(gate(json, 'non-empty')).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/\bitems: \$\.none\b.*\[\].*\blist: /),
    });
  });
});

describe.concurrent('a check by a command', () => {
  it('counts executed tests', async () => {
    const { json } = await verify('TESTS');
    expect(gate(json, 'checks')).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/^many: \d\b.*\b50$/),
    });
  });

  it('that hangs is killed and fails', async () => {
    expect(gate((await verify('SLOW')).json, 'checks')).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/^slow: /),
    });
  });
});

describe.skipIf(BROWSER === undefined)(`a check in a browser${noBrowser}`, { concurrent: true }, () => {
  it('sees the page after its scripts ran, which the ui gate requires', async () => {
    const { json, exitCode, stdout } = await verify('PAGE');
    expect(exitCode, stdout).toBe(0);
    expect(gate(json, 'ui')).toMatchObject({
      result: 'pass',
      required: true,
      reason: expect.stringContaining('page'),
    });
  });

  it('fails for a page without text', async () => {
    const { json, exitCode } = await verify('BLANK');
    expect(exitCode).toBe(1);
    expect(gate(json, 'ui')).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/^page: /),
    });
  });
});

describe.concurrent('a check whose command drives a browser itself', () => {
  it('counts for the ui gate', async () => {
    const { json } = await verify('DRIVEN');
    expect(gate(json, 'ui').required).toBe(true);
    expect(gate(json, 'ui').result).not.toBe('absent');
  });
});
