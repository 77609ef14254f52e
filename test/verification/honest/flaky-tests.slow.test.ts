import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, testFile, type VerifiedProject } from '../../support/verified-project.ts';
import { changedProject, config } from './honest-change.ts';

/** A test that fails in some of the runs of its base version on the change: the server decides in which. */
const flaky = (port: number, more = '') => `${testFile('adds', 'add', 'add(1, 2)', '3')}
import { existsSync, readFileSync } from 'node:fs';
test('is quick', async () => {
  const isBaseOnChange = existsSync('src/sub.js') && !/sub\\(3/.test(readFileSync(import.meta.filename, 'utf8'));
  const answer = isBaseOnChange ? await (await fetch('http://127.0.0.1:${port}')).text() : 'fast';
  assert.equal(answer, 'fast');
});
${more}`;
const SUBTRACTS = `import { sub } from '../src/sub.js';
test('subtracts', () => assert.equal(sub(3, 2), 1));
`;

describe('[VERIFY-10] a flaky test in a file to which the change adds a test', () => {
  let asked = 0;
  let slowRuns = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end(asked <= slowRuns ? 'slow' : 'fast');
  });
  const projects: VerifiedProject[] = [];
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve())));
  afterAll(() => {
    server.close();
    for (const project of projects) project.cleanup();
  });

  async function verify(slow: number, edit: (text: string) => string = (text) => text) {
    asked = 0;
    slowRuns = slow;
    const { port } = server.address() as AddressInfo;
    const project = changedProject({
      name: 'a new test',
      base: {
        'test/add.test.js': flaky(port),
        '.guardkit/config.yaml': config(undefined, 'sandbox: {network: host}\n'),
      },
      files: {
        'src/sub.js': 'export const sub = (a, b) => a - b;\n',
        'test/add.test.js': edit(flaky(port, SUBTRACTS)),
      },
    });
    projects.push(project);
    const { json } = await project.verify();
    return { outcome: json.outcome, weakened: gate(json, 'no-test-weakened'), asked };
  }

  it('is not counted against the change if it passes when it runs again', { timeout: 180_000 }, async () => {
    const { outcome, weakened, asked: runs } = await verify(1);
    expect(outcome).toBe('pass');
    expect(weakened.warnings.join('\n')).toContain('is quick');
    expect(runs).toBe(2);
  });

  it('is refused if it fails again', { timeout: 180_000 }, async () => {
    const { weakened, asked: runs } = await verify(2);
    expect(weakened.result).toBe('fail');
    expect(runs).toBe(2);
  });

  it('is refused at once if the change alters it', { timeout: 180_000 }, async () => {
    const { weakened, asked: runs } = await verify(1, (text) =>
      text.replace("assert.equal(answer, 'fast')", "assert.ok(['fast', 'slow'].includes(answer))"),
    );
    expect(weakened.result).toBe('fail');
    expect(runs).toBe(1);
  });
});
