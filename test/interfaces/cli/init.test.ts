import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { Sandbox, whyNoTerminal } from '../../support/cli.ts';
import { further, rows } from '../../support/thorough.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.cleanup());

const init = (...args: string[]) => sandbox.guardkit(['init', ...args], { in: 'shop' });
const read = (name: string) => readFileSync(sandbox.path('shop', name), 'utf8');

describe('init', () => {
  it('writes the configuration, examples, schemas and .gitignore, and seeds the store', async () => {
    const id = sandbox.repository('shop');
    sandbox.write('shop/package.json', {
      scripts: { test: 'vitest run', coverage: 'vitest run --coverage' },
    });
    sandbox.write('shop/package-lock.json', {});
    const { exitCode, stdout } = await init('--yes', '--no-try', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ project: id });
    expect(read('.guardkit/config.yaml')).toContain(`project: "${id}"`);
    expect(read('.guardkit/config.yaml')).toContain('command: "npm test"');
    expect(read('.guardkit/config.yaml')).toContain('setup: "npm ci"');
    expect(read('.gitignore')).toContain('.guardkit/logs/');
    expect(await sandbox.json(['status'], { in: 'shop' })).toMatchObject({ project: id, episodes: 11 });
    expect((await sandbox.guardkit(['config', 'check'], { in: 'shop' })).exitCode).toBe(0);
  });

  further('ignores an untracked lock file next to a tracked package.json', async () => {
    sandbox.repository('shop');
    sandbox.write('shop/package.json', { scripts: { test: 'mocha' }, devDependencies: { mocha: '10' } });
    sandbox.git('shop', 'add', 'package.json');
    sandbox.write('shop/package-lock.json', {});
    const { stdout } = await init('--yes', '--no-agent', '--no-try', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ verify: { setup: 'npm install --no-package-lock' } });
  });

  further(
    'says that coverage is not measured where no tool for it is found, until somebody wrote a configuration',
    async () => {
      sandbox.repository('shop');
      sandbox.write('shop/package.json', { scripts: { test: 'mocha' }, devDependencies: { mocha: '10' } });
      const first = await init('--yes', '--no-agent', '--no-try', '--json');
      expect(JSON.parse(first.stdout)).toMatchObject({
        verify: { tests: { command: 'npm test' } },
        trial: null,
      });
      expect(read('.guardkit/config.yaml')).not.toMatch(/^ {2}coverage:/m);
      const { stdout } = await init('--yes', '--no-agent', '--json');
      const { verify } = JSON.parse(stdout);
      expect(verify).toMatchObject({ tests: { command: 'npm test' } });
      expect(verify).not.toHaveProperty('coverage');
    },
  );

  further('warns where .gitignore keeps its configuration or the tasks out of commits', async () => {
    sandbox.repository('shop');
    sandbox.write('shop/.gitignore', '/*\n!/src/\n!/.gitignore\n');
    const { stderr } = await init('--yes', '--no-agent', '--no-try');
    expect(stderr).toContain('.gitignore:1:/*');
    expect(stderr).toContain('git add -f .guardkit');
    expect(stderr).toContain('git add -f tasks');
    sandbox.write('shop/.gitignore', '/*\n!/.guardkit/\n!/tasks/\n');
    expect((await init('--yes', '--no-agent', '--no-try')).stderr).not.toContain('git add -f');
  });

  it('adds to .gitignore only what the project does not ignore yet', async () => {
    sandbox.repository('shop');
    const all = '/*\n!/src/\n!/.gitignore\n';
    sandbox.write('shop/.gitignore', all);
    await init('--yes', '--no-agent', '--no-try');
    expect(read('.gitignore')).toBe(all);
    sandbox.write('shop/.gitignore', '.claude\n');
    // Only on this machine.
    sandbox.write('shop/.git/info/exclude', '.guardkit/logs/\n');
    await init('--yes', '--no-agent', '--no-try');
    expect(read('.gitignore').split('\n').slice(2)).toEqual(['.guardkit/logs/', '']);
  });

  further('names the lines for .prettierignore where Prettier is used, once', async () => {
    sandbox.repository('shop');
    sandbox.write('shop/package.json', { devDependencies: { prettier: '3' } });
    expect((await init('--yes', '--no-agent', '--no-try')).stderr).toContain('.prettierignore');
    sandbox.write('shop/.prettierignore', 'dist\n.guardkit/\n');
    expect((await init('--yes', '--no-agent', '--no-try')).stderr).not.toContain('.prettierignore');
  });

  it.each(
    rows(1, [
      ['of all files', '{}', true],
      ['of its own list', '{"files": {"ignoreUnknown": true, "includes": ["**", "!**/dist"]}}', true],
      ['without hidden files', '{"files": {"includes": ["**/*.{ts,json}", "!**/.*"]}}', false],
      ['without the folder', '{"files": {"includes": ["**", "!**/.guardkit"]}}', false],
      ['of one folder', '{"files": {"includes": ["src/**"]}}', false],
    ] as const),
  )('names the pattern for biome.json where Biome checks hidden files: %s', async (_what, text, isTold) => {
    sandbox.repository('shop');
    sandbox.write('shop/biome.json', text);
    const { stderr } = await init('--yes', '--no-agent', '--no-try');
    expect(stderr.includes('!**/.guardkit')).toBe(isTold);
  });

  it('tells a data folder that cannot be made from a fault of its own', async () => {
    sandbox.repository('shop');
    const failed = await sandbox.failure(['init', '--agent', 'claude'], {
      in: 'shop',
      env: { GUARDKIT_HOME: '/sys/guardkit' },
    });
    expect(failed.message).toContain('/sys/guardkit');
    expect(failed.code).not.toBe('unexpected');
    expect(failed.exitCode).toBe(3);
  });

  further('changes nothing the second time, and nothing that exists', async () => {
    sandbox.repository('shop');
    sandbox.write('shop/.gitignore', 'node_modules');
    sandbox.write('shop/.guardkit/config.yaml', '# mine\nproject: my-shop\n');
    await init('--yes');
    expect(read('.guardkit/config.yaml')).toBe('# mine\nproject: my-shop\n');
    expect(read('.gitignore')).toMatch(/^node_modules\n# GuardKit/);
    const files = [
      '.gitignore',
      '.guardkit/config/quality-gates.yaml',
      '.guardkit/schemas/config.schema.json',
    ];
    const before = files.map((file) => [read(file), statSync(sandbox.path('shop', file)).mtimeMs]);
    const again = JSON.parse((await init('--yes', '--json')).stdout);
    expect(again.project).toBe('my-shop');
    for (const { action } of again.files) expect(action).toBe('keep');
    expect(files.map((file) => [read(file), statSync(sandbox.path('shop', file)).mtimeMs])).toEqual(before);
  });

  further(
    'tells with --dry-run the id that it gives then, or that one is made then where nothing gives it',
    async () => {
      const id = sandbox.repository('shop');
      expect(JSON.parse((await init('--dry-run', '--json')).stdout)).toMatchObject({ project: id });
      sandbox.git('outside', 'init', '--quiet');
      const bare = (...args: string[]) =>
        sandbox.guardkit(['init', '--no-agent', ...args], { in: 'outside' });
      const tried = await bare('--dry-run');
      expect(tried.stdout).toContain('outside-XXXX');
      expect(JSON.parse((await bare('--dry-run', '--json')).stdout)).toMatchObject({ project: null });
      expect((await bare()).stdout).toMatch(/outside-[0-9a-f]{4}\b/);
    },
  );

  it('writes nothing with --dry-run, not even a store', async () => {
    sandbox.repository('shop');
    const { stdout } = await init('--dry-run', '--json');
    expect(JSON.parse(stdout).files).toContainEqual({ path: '.guardkit/config.yaml', action: 'create' });
    expect(existsSync(sandbox.path('shop', '.guardkit'))).toBe(false);
    expect(existsSync(sandbox.database)).toBe(false);
  });

  further('gives a repository without commits an id too', async () => {
    sandbox.emptyRepository('shop');
    await init('--yes');
    expect(read('.guardkit/config.yaml')).toMatch(/project: "shop-[0-9a-f]{4}"/);
  });

  it('says what to do outside a repository', async () => {
    expect(await sandbox.failure(['init', '--yes'])).toMatchObject({
      exitCode: 2,
      code: 'project.unknown',
      hint: expect.stringContaining('git init'),
    });
  });

  it('is silent with --yes and needs no terminal', async (context) => {
    await bubblewrap(context);
    sandbox.repository('shop');
    expect(await init('--yes')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  further('asks a person on a terminal for the id and whether the tests are right', async (test) => {
    const why = whyNoTerminal();
    if (why) test.skip(why);
    sandbox.repository('shop');
    sandbox.write('shop/package.json', { scripts: { test: 'vitest run' } });
    await sandbox.terminal('$GUARDKIT init', 'my-own-id\nn\n', { in: 'shop' });
    expect(read('.guardkit/config.yaml')).toContain('project: "my-own-id"');
    expect(read('.guardkit/config.yaml')).not.toMatch(/^verify:/m);
  });

  further('writes examples that hold when their comments are taken away', async () => {
    sandbox.repository('shop');
    await init('--yes');
    for (const file of ['config/quality-gates.yaml', 'config/entity-overrides.yaml']) {
      const lines = read(`.guardkit/${file}`).split('\n');
      const start = lines.findIndex((line) => /^# (?:quality_gate_configs|role_constraints):/.test(line));
      const example = lines.slice(start).map((line) => line.replace(/^# ?/, ''));
      sandbox.write(`shop/.guardkit/${file}`, example.join('\n'));
    }
    expect(await sandbox.guardkit(['config', 'check'], { in: 'shop' })).toMatchObject({ exitCode: 0 });
    const { stdout } = await sandbox.guardkit(['config', 'explain', 'roles', 'coach'], { in: 'shop' });
    expect(stdout).toContain('money');
  });
});
