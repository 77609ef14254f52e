import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ciFiles } from '../../../../src/config/project/ci-templates.ts';
import { npmPackages } from '../../../support/npm-packages.ts';

// It needs Node 22, which npm has as a package for each platform.
const NODE = `node-${platform()}-${arch()}`;
const modules = npmPackages('gitlab-ci-local@4.75.1', `${NODE}@22`);
const why = modules === undefined ? ' (npm cannot bring gitlab-ci-local and Node 22)' : '';

function run(files: readonly { path: string; text: string }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-gitlab-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: folder });
  git('init', '--quiet', '-b', 'main');
  git('remote', 'add', 'origin', 'https://gitlab.example/team/calc.git');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'Base');
  const program = join(modules ?? '', 'gitlab-ci-local', 'dist', 'index.js');
  return spawnSync(join(modules ?? '', NODE, 'bin', 'node'), [program, '--list-json'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: folder },
  });
}

it.skipIf(modules === undefined)(`gitlab-ci-local accepts the job for GitLab${why}`, () => {
  const files = ciFiles('gitlab', '1.2.3');
  const { status, stdout, stderr } = run(files);
  expect(status, stderr).toBe(0);
  const jobs = JSON.parse(stdout.slice(stdout.indexOf('['))) as { name: string; stage: string }[];
  expect(jobs).toMatchObject([{ name: 'guardkit', stage: 'test' }]);
  const broken = files.map(({ path, text }) => ({ path, text: text.replace('stage: test', 'stage: none') }));
  expect(run(broken).status).not.toBe(0);
});
