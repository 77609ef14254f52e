import { describe, expect, it } from 'vitest';
import { ADD, ADD_TEST, trialGround } from './trial-ground.ts';

const ground = trialGround();

describe('init runs what it proposes', () => {
  it('and takes the alternative that worked, with the reason in a comment', async () => {
    ground.project({
      'package.json': {
        scripts: { test: 'node --test', build: 'mkdir -p out && cp add.js out/' },
        main: 'out/add.js',
      },
      '.gitignore': 'out/\n',
      'add.js': ADD,
      'add.test.js': ADD_TEST.replace("'./add.js'", "['.', 'out', 'add.js'].join('/')"),
    });
    expect(await ground.init()).toMatchObject({
      verify: { tests: { command: 'npm run build && npm test' } },
      trial: { tests: { passed: 1, failed: 0 }, unused: [{ command: 'npm test', exit: 1 }] },
    });
    expect(ground.config()).toMatch(/^# .*\bnpm test\b/m);
  });

  it('and reports every command that failed if none works', async () => {
    ground.project({
      'package.json': {
        scripts: { test: 'node --test', build: 'cp no-such-file out/' },
        main: 'out/add.js',
      },
      '.gitignore': 'out/\n',
      'add.js': ADD,
      'add.test.js': ADD_TEST.replace("'./add.js'", "['.', 'out', 'add.js'].join('/')"),
    });
    expect(await ground.init()).toMatchObject({
      trial: { tests: { failed: 1 }, unused: [{ command: 'npm run build && npm test', exit: 1 }] },
    });
  });

  it('and keeps commands whose tests fail, with a comment', async () => {
    ground.project({
      'package.json': { scripts: { test: 'node --test' } },
      'add.js': ADD,
      'add.test.js': `${ADD_TEST}test('fails', () => assert.fail());\n`,
    });
    expect(await ground.init()).toMatchObject({
      trial: { tests: { passed: 1, failed: 1 }, native: { exit: 1 }, missing: [] },
    });
    expect(ground.config()).toMatch(/^verify:\n(?:.*\n)*?# .*\b1\b.*\b2\b/m);
  });

  it('and names a variable that only the person’s own shell has', async () => {
    ground.project({
      'package.json': { scripts: { test: 'node --test' } },
      'add.js': ADD,
      'add.test.js': ADD_TEST.replace(
        "test('adds', () =>",
        "test('adds', () => assert.ok(process.env.SHOP_URL) ||",
      ),
    });
    expect(await ground.init({ SHOP_URL: 'x', OTHER_URL: 'y' })).toMatchObject({
      trial: {
        tests: { failed: 1 },
        native: { exit: 0 },
        missing: [{ kind: 'variable', name: 'SHOP_URL', lines: ['verify:', '  pass_env: [SHOP_URL]'] }],
      },
    });
  });

  it('within the time that it is given', async () => {
    ground.project({ 'package.json': { scripts: { test: 'node -e "setInterval(() => {}, 1000)"' } } });
    const { trial, verify } = await ground.init({}, '--try-timeout', '2s');
    expect(trial).toMatchObject({ tests: { exit: null, passed: 0 }, native: null });
    expect(verify).toMatchObject({ tests: { command: 'npm test' } });
  });
});
