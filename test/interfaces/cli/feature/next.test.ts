import { existsSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../../../support/cli.ts';
import { featureText } from '../work-files.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const LIST = 'shop/.claude/progress/feature-list.json';
const next = (...args: string[]) => sandbox.guardkit(['feature', 'next', ...args], { in: 'shop' });
const write = (features: object[]) => sandbox.write(LIST, { features });

describe('feature next', () => {
  it('says what is to be done next, and why the others wait', async () => {
    write([
      { id: 'F1', description: 'Later', priority: 2 },
      { id: 'F2', description: 'Now', priority: 1 },
      { id: 'F3', description: 'After', priority: 1, dependencies: ['F2'] },
      { id: 'F4', description: 'Stuck', priority: 1, status: 'blocked' },
      { id: 'F5', description: 'Behind it', priority: 1, dependencies: ['F4'] },
      { id: 'F6', description: 'Lost', priority: 1, dependencies: ['F9'] },
    ]);
    const { exitCode, stderr, stdout } = await next();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot('../golden/feature-next.txt');
    expect(JSON.parse((await next('--json')).stdout)).toMatchObject({
      next: { id: 'F2', priority: 1, status: 'pending', retries: 0, criteria: [] },
      waiting: [
        { feature: 'F1', why: expect.stringContaining('F2') },
        { feature: 'F3', why: expect.stringContaining('F2') },
        { feature: 'F4' },
        { feature: 'F5', why: expect.stringContaining('F4') },
        { feature: 'F6', why: expect.stringContaining('F9') },
      ],
      done: 0,
    });
    expect(existsSync(sandbox.home)).toBe(false);
  });

  it('counts features of files too, taken in or not', async () => {
    write([{ id: 'F1', description: 'Later' }]);
    sandbox.write(
      'shop/.guardkit/features/FEAT-A.yaml',
      featureText('FEAT-A', 'priority: 1\nacceptance_criteria: [a]\n'),
    );
    expect((await next()).stdout).toContain('FEAT-A: The FEAT-A\n');
    await sandbox.guardkit(['feature', 'add', 'Other', '--criterion', 'a'], { in: 'shop' });
    expect((await next()).stdout).toContain('FEAT-A: The FEAT-A\n');
  });

  it('leaves out a feature whose file was deleted', async () => {
    const file = 'shop/.guardkit/features/FEAT-A.yaml';
    sandbox.write(file, featureText('FEAT-A', 'priority: 1\nacceptance_criteria: [a]\n'));
    await sandbox.guardkit(['feature', 'add', 'Other', '--criterion', 'a'], { in: 'shop' });
    rmSync(sandbox.path(file));
    expect(JSON.parse((await next('--json')).stdout)).toMatchObject({ next: { id: 'F001' }, waiting: [] });
    rmSync(sandbox.path('shop/.guardkit/features'), { recursive: true });
    expect(JSON.parse((await next('--json')).stdout)).toMatchObject({ next: { id: 'F001' }, waiting: [] });
  });

  it.each([
    ['there are no features', [], []],
    ['all are blocked', [{ id: 'F1', status: 'blocked' }], [{ feature: 'F1' }]],
    [
      'they wait for each other',
      [
        { id: 'A', dependencies: ['B'] },
        { id: 'B', dependencies: ['A'] },
      ],
      [{ feature: 'A', why: expect.stringContaining('B') }, { feature: 'B' }],
    ],
  ])('answers no if %s [CLI-1]', async (_case, features, waiting) => {
    write(features);
    const { stdout, exitCode } = await next('--json');
    expect(JSON.parse(stdout)).toMatchObject({ next: null, waiting });
    expect(exitCode).toBe(1);
  });

  it('shows a few of many that wait, and all of them as JSON', async () => {
    write(Array.from({ length: 100 }, (_, index) => ({ id: `F${index}`, description: 'x' })));
    const { stdout } = await next();
    expect(stdout.split('\n')).toHaveLength(23);
    expect(stdout).toMatch(/\b79\b.*--json/);
    expect(JSON.parse((await next('--json')).stdout).waiting).toHaveLength(99);
  });
});
