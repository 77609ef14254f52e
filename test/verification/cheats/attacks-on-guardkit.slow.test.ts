import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findSandbox } from '../../../src/platform/sandbox/find-sandbox.ts';
import {
  CheatBase,
  type CheatProject,
  config,
  HONEST,
  MULTIPLY,
  MULTIPLY_TEST,
  UNMEASURED_PROJECT,
} from './cheat-project.ts';
import { expectStopped } from './expect-stopped.ts';

const WRONG = MULTIPLY.replace('*', '+');
const FAILS = { gate: 'tests', reason: /multiplies two numbers/ } as const;
const bases: CheatBase[] = [];
afterAll(() => {
  for (const base of bases) base.cleanup();
});

/** A separate machine, since it is attacked. */
function newProject(files = UNMEASURED_PROJECT): CheatProject {
  const base = new CheatBase(files);
  bases.push(base);
  return base.project();
}

/** The wrong code, and a test that attacks while it fails; denied accesses do not stop it. */
function attack(code: string): Record<string, string> {
  return {
    ...HONEST,
    'src/multiply.js': WRONG,
    'test/multiply.test.js': `import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
${MULTIPLY_TEST}
const attempt = (action) => {
  try {
    action();
  } catch {}
};
${code}
`,
  };
}

const sandbox = await findSandbox();
const describeSandboxed = sandbox.available ? describe : describe.skip;

describeSandboxed.concurrent(
  `a test that attacks GuardKit${sandbox.available ? '' : ` (SKIPPED: ${sandbox.why})`}`,
  () => {
    it('cannot write to the ledger, the evidence or the state of workspaces', async () => {
      const project = newProject();
      const { home } = project.sandbox;
      await project.write(HONEST).verify();
      const before = snapshot(home);
      project.write(
        attack(`
const walk = (folder) => {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: false })) {
    const path = folder + '/' + entry.name;
    if (entry.isDirectory()) attempt(() => walk(path));
    else if (!path.startsWith(process.cwd())) attempt(() => fs.writeFileSync(path, 'forged'));
  }
};
attempt(() => walk(${JSON.stringify(home)}));
for (const name of ['ledger.db', 'guardkit.db', 'evidence/forged.json']) attempt(() => fs.writeFileSync(${JSON.stringify(home)} + '/' + name, 'forged'));
`),
      );
      expectStopped(await project.verify(), FAILS);
      for (const [path, text] of before)
        if (/\.(?:tests\.json|log|json)$/.test(path)) expect(readFileSync(path, 'latin1'), path).toBe(text);
      expect((await project.sandbox.guardkit(['evidence', 'TASK-001'], { in: project.name })).exitCode).toBe(
        0,
      );
    });

    it('cannot repair the project’s own files, move its branches or change its settings', async () => {
      const project = newProject();
      const files = [
        'src/multiply.js',
        '.git/config',
        '.git/refs/heads/main',
        '.git/HEAD',
        '.guardkit/config.yaml',
      ];
      project.write(
        attack(
          files
            .map(
              (file) => `attempt(() => fs.writeFileSync(${JSON.stringify(project.path(file))}, 'forged'));`,
            )
            .join('\n'),
        ),
      );
      const read = () => files.map((file) => readFileSync(project.path(file), 'utf8'));
      const before = read();
      expectStopped(await project.verify(), FAILS);
      expect(read()).toEqual(before);
    });

    it('cannot redirect git through the workspace’s link to its repository', async () => {
      const project = newProject().write(
        attack(`
attempt(() => fs.rmSync('.git'));
attempt(() => fs.renameSync('.git', '.was'));
attempt(() => fs.writeFileSync('.git', 'gitdir: /tmp/elsewhere'));
`),
      );
      expectStopped(await project.verify(), FAILS);
      expectStopped(await project.verify(), FAILS);
    });

    it('cannot leave a process behind that repairs the files of later runs', async () => {
      const project = newProject().write(
        attack(`
const mend = 'setInterval(() => { try { fs.writeFileSync("src/multiply.js", "export const multiply = (a, b) => a * b;\\n") } catch {} }, 5)';
spawn('setsid', ['--fork', process.execPath, '-e', mend], { detached: true, stdio: 'ignore' }).unref();
spawn(process.execPath, ['-e', mend], { detached: true, stdio: 'ignore' }).unref();
`),
      );
      // In the run itself it may repair them; no later run may see that.
      await project.verify();
      const next = project.write(attack(''));
      expectStopped(await next.verify(), FAILS);
    });

    it('cannot leave packages behind that the next run uses as installed ones', async () => {
      const project = newProject().write(
        attack(`
fs.mkdirSync('node_modules/.bin', { recursive: true });
fs.writeFileSync('node_modules/.bin/node', '#!/bin/sh\\nexit 0\\n', { mode: 0o755 });
fs.writeFileSync('src/multiply.js', ${JSON.stringify(MULTIPLY)});
`),
      );
      expectStopped(await project.verify(), FAILS);
      expectStopped(await project.verify(), FAILS);
    });
  },
);

describeSandboxed.concurrent('a test that tampers with the results of the set-up', () => {
  const BUILT = {
    ...UNMEASURED_PROJECT,
    '.guardkit/config.yaml': `${config(`setup: node build.mjs
tests:
  command: node --test
checks:
  - name: data
    command: cat dist/data.json
    expect: { non_empty: $.items }
`)}`,
    'build.mjs':
      "import { cpSync, mkdirSync } from 'node:fs';\nmkdirSync('dist', { recursive: true });\ncpSync('data.json', 'dist/data.json');\n",
    'data.json': '{"items":[1]}\n',
  };

  it('cannot give the checks other data than the built data', async () => {
    const project = newProject(BUILT).write({
      ...HONEST,
      'data.json': '{"items":[]}\n',
      'test/multiply.test.js': `import { writeFileSync } from 'node:fs';\n${MULTIPLY_TEST}\nwriteFileSync('dist/data.json', '{"items":[1]}');\n`,
    });
    expectStopped(await project.verify(), { gate: 'non-empty', reason: /\$\.items\b/ });
    expectStopped(await project.verify(), { gate: 'non-empty', reason: /\$\.items\b/ });
  });

  it('cannot replace packages through a link to them', async () => {
    const project = newProject({
      ...UNMEASURED_PROJECT,
      '.guardkit/config.yaml': config(`setup: mkdir -p kept/.bin && ln -s kept node_modules
tests:
  command: npm test
`),
      '.gitignore': 'kept/\nnode_modules\nlcov.info\n',
      'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
    }).write({
      ...HONEST,
      'src/multiply.js': WRONG,
      'test/multiply.test.js': `import * as fs from 'node:fs';\n${MULTIPLY_TEST}
fs.rmSync('node_modules', { force: true, recursive: true });
fs.mkdirSync('node_modules/.bin', { recursive: true });
fs.writeFileSync('node_modules/.bin/node', '#!/bin/sh\\necho replaced\\nexit 0\\n', { mode: 0o755 });
`,
    });
    expectStopped(await project.verify(), FAILS);
    expectStopped(await project.verify(), FAILS);
  });
});

describe('a tree with links out of its workspace', () => {
  it('does not make GuardKit remove folders elsewhere', async () => {
    const project = newProject({
      ...UNMEASURED_PROJECT,
      '.guardkit/config.yaml':
        UNMEASURED_PROJECT['.guardkit/config.yaml']?.replace(
          'verify:\n',
          'verify:\n  setup: mkdir -p node_modules/a\n',
        ) ?? '',
      '.gitignore': 'lcov.info\n',
    });
    await project.write(HONEST).verify();
    const theirs = project.sandbox.write('outside/.cache/theirs', 'theirs');
    project.link('node_modules', project.sandbox.path('outside'));
    project.write({ '.gitignore': 'lcov.info\n' }).git('add', '--force', 'node_modules');
    const answer = await project.verify();
    expect(existsSync(theirs)).toBe(true);
    expect(answer.exitCode, answer.stdout).not.toBe(0);
  });
});

/** Every file below a folder, with its content. */
function snapshot(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, 'latin1')]),
  );
}
