import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planProjectFiles, writeProjectFiles } from '../../../../src/config/project/init-project.ts';
import { Sandbox, whyNoTerminal } from '../../../support/cli.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const init = (...args: string[]) => sandbox.guardkit(['init', '--yes', '--no-try', ...args], { in: 'shop' });
const initFails = () => sandbox.failure(['init', '--yes', '--no-try'], { in: 'shop' });
const read = (name: string) => readFileSync(sandbox.path('shop', name), 'utf8');
const status = () => sandbox.git('shop', 'status', '--short', '--untracked-files=all');

describe('init on a project that has something already', () => {
  it.each([
    ['config.yaml', 'bogus: 1\n'],
    ['config/quality-gates.yaml', 'quality_gate_configs: 5\n'],
    ['config/entity-overrides.yaml', 'role_constraints: {referee: {}}\n'],
  ])('with faults in %s tells them and writes nothing, as it says', async (file, text) => {
    sandbox.write(`shop/.guardkit/${file}`, text);
    const before = status();
    expect(await initFails()).toMatchObject({ exitCode: 2, code: 'config.invalid' });
    expect(status()).toBe(before);
    expect(existsSync(sandbox.database)).toBe(false);
  });

  it('goes on where it stopped half-way', async () => {
    await init();
    const whole = status();
    sandbox.git('shop', 'clean', '--quiet', '-fd', '.guardkit/config', '.guardkit/schemas');
    const { files } = JSON.parse((await init('--json')).stdout);
    expect(files).toContainEqual({ path: '.guardkit/config.yaml', action: 'keep' });
    expect(files).toContainEqual({ path: '.guardkit/config/quality-gates.yaml', action: 'create' });
    expect(status()).toBe(whole);
  });

  it('says nothing of an id that nobody wrote down', async () => {
    sandbox.emptyRepository('new');
    sandbox.write('new/.guardkit/config.yaml', '# nothing yet\n');
    const { stdout } = await sandbox.guardkit(['init', '--yes'], { in: 'new' });
    expect(stdout).toMatch(/project: new-[0-9a-f]{4}\b.*\.guardkit\/config\.yaml/);
    const { stdout: json } = await sandbox.guardkit(['init', '--yes', '--json'], { in: 'new' });
    expect(JSON.parse(json).project).toBeNull();
  });

  it('seeds its own quality gates too, so that the stored copy is not behind at once', async () => {
    const gates =
      'quality_gate_configs: [{task_type: feature, complexity_range: [4, 6], coverage_threshold: 0.9}]\n';
    sandbox.write('shop/.guardkit/config/quality-gates.yaml', gates);
    await init();
    const { stdout } = await sandbox.guardkit(['config', 'check', '--json'], { in: 'shop' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, warnings: [] });
  });

  it('does not ask for an id that it would not write', async (test) => {
    const why = whyNoTerminal();
    if (why) test.skip(why);
    sandbox.write('shop/.guardkit/config.yaml', 'project: mine\n');
    // A question would end it, as nobody answers.
    const { exitCode, stdout } = await sandbox.terminal('$GUARDKIT init', '', { in: 'shop' });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('mine');
  });
});

describe('a .gitignore', () => {
  it('keeps its bytes, whatever they are, its mode and its line ends', async () => {
    const path = sandbox.write('shop/.gitignore', Buffer.from('Pr\xfcfung\r\nlast', 'latin1'));
    chmodSync(path, 0o600);
    await init();
    expect(readFileSync(path, 'latin1')).toMatch(/^Pr\xfcfung\r\nlast\n# GuardKit/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('that is a link stays one, and its file gets the lines', async () => {
    sandbox.write('shop/ignored.txt', 'a\n');
    symlinkSync('ignored.txt', sandbox.path('shop', '.gitignore'));
    await init();
    expect(lstatSync(sandbox.path('shop', '.gitignore')).isSymbolicLink()).toBe(true);
    expect(read('ignored.txt')).toMatch(/^a\n# GuardKit[^\n]*\n\.guardkit\/logs\/\n/);
  });

  it('that has some of the lines, with line ends of Windows, gets only the others', async () => {
    sandbox.write('shop/.gitignore', '.guardkit/logs/\r\n');
    await init();
    expect(read('.gitignore').match(/\.guardkit\/logs\//g)).toHaveLength(1);
    expect(read('.gitignore')).toContain('.claude/settings.local.json');
  });
});

describe('init where it cannot write', () => {
  it.each([
    ['.guardkit is a file', () => writeFileSync(sandbox.path('shop', '.guardkit'), '')],
    ['.gitignore is a folder', () => mkdirSync(sandbox.path('shop', '.gitignore'))],
    [
      'a schema is a folder',
      () => mkdirSync(sandbox.path('shop/.guardkit/schemas/config.schema.json'), { recursive: true }),
    ],
    [
      'the configuration is a link that leads nowhere',
      () => {
        mkdirSync(sandbox.path('shop', '.guardkit'));
        symlinkSync('../nowhere', sandbox.path('shop', '.guardkit', 'config.yaml'));
      },
    ],
  ])('because %s says so with the file and the remedy [CLI-1]', async (_why, spoil) => {
    spoil();
    const failed = await initFails();
    expect(failed.exitCode).toBe(3);
    expect(failed.message).toContain(sandbox.path('shop'));
    expect(failed.code).not.toBe('unexpected');
  });

  it.skipIf(!existsSync('/proc/self'))(
    'because of the data folder ends with an error, and changes nothing',
    async () => {
      const env = { GUARDKIT_HOME: '/proc/nope' };
      const failed = await sandbox.failure(['init', '--yes', '--no-try'], { in: 'shop', env });
      expect(failed).toMatchObject({ exitCode: 3, code: 'home.not-created' });
      expect(status()).toBe('');
    },
  );

  it.skipIf(process.getuid?.() === 0)('because the folder is read-only says so', async () => {
    chmodSync(sandbox.path('shop'), 0o500);
    const { exitCode, stderr } = await init();
    chmodSync(sandbox.path('shop'), 0o700);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('EACCES');
  });
});

it.each([
  ['unreachable', { GUARDKIT_DATABASE_URL: 'postgres://127.0.0.1:1/x' }],
  ['damaged', {}],
])(
  'a store that is %s keeps no project from being made ready, and is named in one line [RULE-7]',
  async (state, env) => {
    if (state === 'damaged') sandbox.write('data/guardkit.db', 'no database. '.repeat(100));
    const run = (...args: string[]) => sandbox.guardkit(['init', '--yes', ...args], { in: 'shop', env });
    const { exitCode, stdout, stderr } = await run();
    expect(exitCode).toBe(0);
    expect(stdout).toContain('.guardkit/config.yaml');
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('guardkit memory seed')]);
    expect(JSON.parse((await run('--json')).stdout)).toMatchObject({ seeded: null });
  },
);

describe('two at once', () => {
  it('a file that somebody else made in between stays', () => {
    const root = sandbox.path('shop');
    const mine = planProjectFiles(root, 'mine', undefined);
    const theirs = planProjectFiles(root, 'theirs', undefined);
    writeProjectFiles(root, theirs);
    expect(writeProjectFiles(root, mine).map(({ action }) => action)).toEqual(mine.map(() => 'keep'));
    expect(read('.guardkit/config.yaml')).toContain('project: "theirs"');
    expect(readdirSync(sandbox.path('shop', '.guardkit')).sort()).toEqual([
      'config',
      'config.yaml',
      'schemas',
    ]);
  });

  it('lines that somebody else added to .gitignore in between are not added again', () => {
    const root = sandbox.path('shop');
    sandbox.write('shop/.gitignore', 'a\n');
    const mine = planProjectFiles(root, 'mine', undefined);
    writeProjectFiles(root, planProjectFiles(root, 'theirs', undefined));
    const before = read('.gitignore');
    writeProjectFiles(root, mine);
    expect(read('.gitignore')).toBe(before);
  });

  it('agree on one id, also where there is no commit to take it from', async () => {
    sandbox.emptyRepository('new');
    const runs = await Promise.all(
      [1, 2, 3].map(() => sandbox.program(['init', '--yes', '--json'], { in: 'new' })),
    );
    for (const { exitCode, stderr } of runs) expect(exitCode, stderr).toBe(0);
    const ids = runs.map(({ stdout }) => JSON.parse(stdout).project);
    expect(ids).toEqual([ids[0], ids[0], ids[0]]);
    expect(readFileSync(sandbox.path('new/.guardkit/config.yaml'), 'utf8')).toContain(`project: "${ids[0]}"`);
  });
});

describe('what is recognised', () => {
  it('is the language’s own tests where package.json has none', async () => {
    sandbox.write('shop/package.json', { devDependencies: {} });
    sandbox.write('shop/go.mod', 'module shop\n');
    await init();
    expect(read('.guardkit/config.yaml')).toContain('command: "go test -coverprofile=cover.out ./..."');
  });

  it('is nothing where a file is a folder', async () => {
    mkdirSync(sandbox.path('shop', 'pyproject.toml'));
    const { exitCode, stdout } = await init('--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verify: null });
  });
});
