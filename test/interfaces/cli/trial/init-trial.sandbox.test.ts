import { beforeEach, describe, expect, it } from 'vitest';
import { further } from '../../../support/thorough.ts';
import { ADD, ADD_TEST, trialGround } from './trial-ground.ts';

const ground = trialGround();

describe('init runs what it proposes', () => {
  it('and writes what worked, with the number of tests and the coverage report that it saw', async () => {
    ground.project({
      'package.json': { scripts: { test: 'node --test' } },
      'add.js': ADD,
      'add.test.js': ADD_TEST,
    });
    expect(await ground.init()).toMatchObject({
      trial: {
        tests: { exit: 0, passed: 1, failed: 0 },
        coverage: { found: true, report: 'lcov.info', format: 'lcov' },
        native: null,
      },
    });
    expect(ground.config()).toMatch(/^verify:\n {2}tests:\n {4}command: "npm test"\n {2}coverage:/m);
    expect(ground.gates()).not.toMatch(/^quality_gate_configs/m);
    expect(ground.sandbox.git('shop', 'status', '--short')).not.toContain('lcov.info');
  });

  further('and writes commands that do not work as comments', async () => {
    ground.project({ 'package.json': { scripts: { test: 'no-such-runner' } } });
    expect(await ground.init()).toMatchObject({
      verify: null,
      trial: { tests: { passed: 0 }, native: { exit: 127 } },
    });
    expect(ground.config()).not.toMatch(/^verify:/m);
    expect(ground.config()).toMatch(/^# {3}tests:\n# {5}command: "npm test"/m);
    expect(await ground.check()).toBe(0);
  });

  further('and requires no coverage where nothing measures it', async () => {
    ground.project({ Makefile: 'test:\n\t@echo "TAP version 13"; echo "1..1"; echo "ok 1 - adds"\n' });
    expect(await ground.init()).toMatchObject({
      verify: { tests: { command: 'make test' } },
      trial: { tests: { passed: 1 } },
    });
    expect(ground.gates()).toContain('coverage_required: false');
    expect(await ground.check()).toBe(0);
  });

  further('and requires no coverage where the coverage command fails', async () => {
    ground.project({
      'package.json': { scripts: { test: 'node --test', coverage: 'exit 7' } },
      'add.js': ADD,
      'add.test.js': ADD_TEST,
    });
    expect(await ground.init()).toMatchObject({ trial: { tests: { exit: 0 }, coverage: { found: false } } });
    expect(ground.config()).toMatch(/^# {3}coverage:/m);
    expect(ground.gates()).toContain('coverage_required: false');
    expect(await ground.check()).toBe(0);
  });

  further('and requires no coverage where the report is about a build, not about its sources', async () => {
    ground.project({
      'package.json': { scripts: { pretest: 'mkdir -p dist && cp src/*.js dist', test: 'node --test' } },
      '.gitignore': 'dist\n',
      'src/add.js': ADD,
      'test/add.test.js': ADD_TEST.replace('./add', '../dist/add'),
    });
    expect(await ground.init()).toMatchObject({
      trial: {
        tests: { exit: 0, passed: 1 },
        coverage: { found: false, why: expect.stringContaining('dist/add.js') },
      },
    });
    expect(ground.gates()).toContain('coverage_required: false');
  });
});

describe('init runs nothing', () => {
  beforeEach(() =>
    ground.project({
      'package.json': { scripts: { test: 'node --test' } },
      'add.test.js': ADD_TEST,
      'add.js': ADD,
    }),
  );

  it('with --no-try', async () => {
    expect(await ground.init({}, '--no-try')).toMatchObject({
      trial: null,
      verify: { tests: { command: 'npm test' } },
    });
  });

  further('where nobody is asked and nobody said yes', async () => {
    const { stdout } = await ground.sandbox.guardkit(['init', '--no-agent', '--json'], { in: 'shop' });
    expect(JSON.parse(stdout)).toMatchObject({ trial: null });
  });

  further('where a person says no', async () => {
    const { stdout } = await ground.sandbox.guardkit(['init', '--no-agent', '--json'], {
      in: 'shop',
      person: true,
      input: '\ny\nn\n',
    });
    expect(JSON.parse(stdout)).toMatchObject({ trial: null, verify: { tests: { command: 'npm test' } } });
  });
});
