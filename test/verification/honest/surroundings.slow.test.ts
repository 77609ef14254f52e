import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gate, HONEST_CHANGE, testFile, VerifiedProject } from '../../support/verified-project.ts';
import { baseRuns } from '../bad-input/tasks-project.ts';
import { CALC, changedProject, expectPassed, type HonestChange, passEach, task } from './honest-change.ts';

const CRLF_TEST = testFile('subtracts', 'sub', 'sub(3, 2)', '1').replaceAll('\n', '\r\n');

const CHANGES: HonestChange[] = [
  {
    name: 'paths with spaces, accents and other scripts',
    base: {
      'src/größe der summe.js': 'export const summe = (a, b) => a + b;\n',
      'test/größe der summe.test.js': testFile('summiert', 'summe', 'summe(1, 2)', '3').replace(
        'summe.js',
        'größe der summe.js',
      ),
    },
    files: {
      'src/größe der summe.js': 'export const summe = (...alle) => alle.reduce((a, b) => a + b, 0);\n',
      'src/引き算 (1).js': 'export const sub = (a, b) => a - b;\n',
      'test/größe der summe.test.js': testFile('summiert „drei“', 'summe', 'summe(1, 2, 3)', '6').replace(
        'summe.js',
        'größe der summe.js',
      ),
      'test/引き算 "eins".test.js': testFile('引く', 'sub', 'sub(3, 2)', '1').replace(
        'sub.js',
        '引き算 (1).js',
      ),
    },
    says: { coverage: /\(2\/2\)/ },
  },
  {
    name: 'a project whose folder has spaces in its path',
    folder: 'my projects/ca lc (2)',
    files: HONEST_CHANGE,
  },
  {
    name: 'a detached checkout with its own commits',
    files: HONEST_CHANGE,
    also: (project) => {
      project.commit('Work');
      project.git('checkout', '--quiet', '--detach');
      project.git('branch', '--quiet', '-D', 'work');
    },
  },
  {
    name: 'an index that differs from the working files',
    files: { ...HONEST_CHANGE, 'src/add.js': 'export const add = () => 0;\n', 'src/gone.js': 'broken(;\n' },
    also: (project) => {
      project.git('add', '--all');
      project.write({ 'src/add.js': 'export const add = (a, b) => b + a;\n', 'src/late.js': 'export {};\n' });
      project.git('add', '--intent-to-add', 'src/late.js');
      execFileSync('rm', [project.path('src/gone.js')]);
    },
    says: { change: /^4\b.*: src\/add\.js, src\/late\.js, src\/sub\.js\b.*\b1\b/ },
  },
  {
    name: 'a change of the same length within the second of the base commit',
    base: {
      'tasks/TASK-001.md': task('bugfix'),
      'src/add.js': 'export const add = (a, b) => a - b;\n',
      'test/add.test.js': testFile('adds', 'add', 'add(2, 0)', '2'),
    },
    files: {
      'src/add.js': 'export const add = (a, b) => a + b;\n',
      'test/add.test.js': testFile('adds', 'add', 'add(1, 1)', '2'),
    },
    says: { change: /^2\b/ },
  },
  {
    name: 'files with CRLF by .gitattributes',
    beforeBase: (project) => {
      project.git('config', 'core.safecrlf', 'false');
      project.write({
        '.gitattributes': '* text=auto eol=crlf\n',
        'src/add.js': 'export const add = (a, b) => a + b;\r\n',
      });
    },
    files: {
      'src/sub.js': 'export const sub = (a, b) => {\r\n  return a - b;\r\n};\r\n',
      'test/sub.test.js': CRLF_TEST,
    },
    says: { change: /^2\b/ },
  },
  {
    name: 'files with CRLF by repository settings',
    beforeBase: (project) => {
      project.git('config', 'core.safecrlf', 'false');
      project.git('config', 'core.autocrlf', 'true');
    },
    files: {
      'src/sub.js': 'export const sub = (a, b) => {\r\n  return a - b;\r\n};\r\n',
      'test/sub.test.js': CRLF_TEST,
    },
  },
  {
    name: 'a link from one file of the tree to another',
    files: HONEST_CHANGE,
    also: (project) => {
      mkdirSync(project.path('src/operations'));
      symlinkSync('../sub.js', project.path('src/operations/minus.js'));
      symlinkSync('src', project.path('source'));
    },
  },
  {
    name: 'a program that becomes executable, as a test requires',
    base: {
      'tasks/TASK-001.md': task('bugfix'),
      'bin/hello': '#!/bin/sh\necho hello\n',
      'src/hello.js':
        "import { execFileSync } from 'node:child_process';\nexport const hello = () => execFileSync('bin/hello', { encoding: 'utf8' });\n",
    },
    files: { 'test/hello.test.js': testFile('says hello', 'hello', 'hello()', "'hello\\n'") },
    also: (project) => chmodSync(project.path('bin/hello'), 0o755),
  },
  {
    name: 'pictures and other binary files',
    files: HONEST_CHANGE,
    also: (project) =>
      project.sandbox.write(`${project.name}/assets/dot.png`, Buffer.from([0x89, 0x50, 0, 0xff, 0xfe, 10])),
  },
  {
    name: 'a branch with a later main merged into it',
    files: HONEST_CHANGE,
    also: (project) => {
      project.commit('Work');
      project.git('checkout', '--quiet', 'main');
      project.write({ 'src/zero.js': 'export const zero = 0;\n' });
      project.commit('Meanwhile');
      project.git('checkout', '--quiet', 'work');
      project.git('merge', '--quiet', '--no-edit', 'main');
    },
    says: { change: /^2\b/ },
  },
  {
    name: 'a submodule that the tests need',
    beforeBase: (project) => {
      project.sandbox.emptyRepository('library');
      project.sandbox.write('library/index.js', 'export const one = 1;\n');
      project.sandbox.git('library', 'add', '--all');
      project.sandbox.commit('library', 'Library');
      project.git(
        '-c',
        'protocol.file.allow=always',
        'submodule',
        '--quiet',
        'add',
        '../library',
        'vendor/lib one',
      );
      project.write({
        'src/add.js':
          "import { one } from '../vendor/lib one/index.js';\nexport const add = (a, b) => a + b * one;\n",
      });
    },
    files: HONEST_CHANGE,
  },
  {
    name: 'a sparse checkout',
    base: { 'docs/large/one.md': '# One\n' },
    also: (project) => {
      project.git('sparse-checkout', 'set', 'src', 'test', 'tasks', '.guardkit');
      project.write(HONEST_CHANGE);
    },
    says: { change: /^2\b/ },
  },
  {
    name: 'tests with their own files, processes and ports, one port twice',
    base: { 'test/world.test.js': world('first') },
    files: { ...HONEST_CHANGE, 'test/world-again.test.js': world('second') },
  },
  {
    name: 'tests that end late because of a timer, a server and a process',
    files: {
      ...HONEST_CHANGE,
      'test/sub.test.js': `${HONEST_CHANGE['test/sub.test.js']}
import { createServer } from 'node:http';
import { spawn } from 'node:child_process';

test('leaves something open', () => {
  const server = createServer().listen(0);
  spawn('sleep', ['0.2']);
  setTimeout(() => server.close(), 300);
});
`,
    },
  },
];

/** Uses the machine like typical tests. */
function world(name: string): string {
  return `import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

for (const round of [1, 2])
  test(\`${name}: answers on a fixed port, round \${round}\`, async () => {
    const server = createServer((_request, response) => response.end('hello'));
    server.listen(${name === 'first' ? 18473 : 18474}, '127.0.0.1');
    await once(server, 'listening');
    assert.equal(await (await fetch('http://localhost:${name === 'first' ? 18473 : 18474}/')).text(), 'hello');
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

test('${name}: writes files in the usual places', () => {
  const folder = mkdtempSync(join(tmpdir(), 'calc-'));
  writeFileSync(join(folder, 'a'), 'b');
  assert.equal(readFileSync(join(folder, 'a'), 'utf8'), 'b');
  writeFileSync('left-behind-${name}.txt', 'b');
  assert.ok(homedir());
});

test('${name}: starts processes', async () => {
  assert.equal(execFileSync('sh', ['-c', 'echo hi; git --version >&2'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }), 'hi\\n');
  assert.equal(execFileSync(process.execPath, ['-e', 'console.log(1 + 1)'], { encoding: 'utf8' }), '2\\n');
  const child = spawn('sleep', ['60']);
  child.kill();
  await once(child, 'exit');
});

test('${name}: asks git about its checkout', () => {
  assert.equal(execFileSync('git', ['ls-files', 'package.json'], { encoding: 'utf8' }), 'package.json\\n');
});
`;
}

describe.concurrent('in awkward surroundings an honest change passes:', () => {
  passEach(CHANGES);

  it('a linked worktree of git, from a folder in it', async ({ onTestFinished }) => {
    const project = new VerifiedProject(CALC);
    onTestFinished(() => project.cleanup());
    project.git('worktree', 'add', '--quiet', '-b', 'other', '../other tree', 'main');
    for (const [path, text] of Object.entries(HONEST_CHANGE))
      project.sandbox.write(`other tree/${path}`, text);
    const { exitCode, stdout, stderr } = await project.guardkit(['verify', 'TASK-001', '--json'], {
      in: 'other tree/src',
    });
    expect(exitCode, `${stdout}\n${stderr}`).toBe(0);
    expect(gate(JSON.parse(stdout), 'change').reason).toMatch(/^2\b/);
  });

  it('one project in two clones, in sequence', async ({ onTestFinished }) => {
    const project = changedProject({ name: '', files: HONEST_CHANGE });
    onTestFinished(() => project.cleanup());
    await expectPassed(project);
    project.sandbox.git('.', 'clone', '--quiet', 'calc', 'clone');
    for (const [path, text] of Object.entries(HONEST_CHANGE)) project.sandbox.write(`clone/${path}`, text);
    const { exitCode, stdout, stderr } = await project.guardkit(
      ['verify', 'TASK-001', '--base', 'origin/main', '--json'],
      { in: 'clone' },
    );
    expect(exitCode, `${stdout}\n${stderr}`).toBe(0);
    expect(baseRuns(project)).toHaveLength(1);
  });
});
