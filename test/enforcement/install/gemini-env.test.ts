import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  GEMINI_ENV,
  geminiEnvRemoval,
  geminiEnvStep,
  hiddenEnvFile,
} from '../../../src/enforcement/install/project-files/gemini-env.ts';
import { bashEnvText } from '../../../src/enforcement/shell/launcher-script.ts';
import { shellFolder } from '../../../src/enforcement/shell/shell-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function project(text?: string) {
  const home = temporaryFolder();
  const root = join(home, 'shop');
  mkdirSync(join(root, '.gemini'), { recursive: true });
  const path = join(root, GEMINI_ENV);
  if (text !== undefined) writeFileSync(path, text);
  return { home, root, path, read: () => readFileSync(path, 'utf8') };
}

it('the variable is added to the person’s own ones, and taken away without a trace', () => {
  const fresh = project();
  geminiEnvStep(fresh.root, '/data/bash-env').perform();
  expect(fresh.read()).toContain("BASH_ENV='/data/bash-env'\n");
  expect(geminiEnvStep(fresh.root, '/data/bash-env').action).toBe('keep');
  for (const step of geminiEnvRemoval(fresh.root)) step.perform();
  expect(existsSync(fresh.path)).toBe(false);
  const own = project('KEY=1\n');
  geminiEnvStep(own.root, '/data/bash-env').perform();
  expect(own.read()).toMatch(/^KEY=1\n/);
  for (const step of geminiEnvRemoval(own.root)) step.perform();
  expect(own.read()).toBe('KEY=1\n');
});

it('another file with variables would be hidden, unless the project has its own already', () => {
  const { home, root } = project();
  expect(hiddenEnvFile(root, home)).toBeUndefined();
  geminiEnvStep(root, '/data/bash-env').perform();
  expect(hiddenEnvFile(root, home)).toBeUndefined();
  for (const path of [join(root, '.env'), join(home, '.env'), join(home, GEMINI_ENV)]) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'KEY=1\n');
    expect(hiddenEnvFile(root, '/nowhere')).toBe(join(root, '.env'));
  }
  writeFileSync(join(root, GEMINI_ENV), 'KEY=1\n');
  expect(hiddenEnvFile(root, home)).toBeUndefined();
});

it('bash gives marked commands to the launcher, whole, and runs nothing if it is missing', () => {
  const folder = temporaryFolder();
  const launcher = join(folder, 'launcher');
  writeFileSync(launcher, '#!/bin/sh\necho "wrapped:$2:$BASH_ENV"\n', { mode: 0o700 });
  const bashEnv = join(folder, 'bash-env');
  writeFileSync(bashEnv, bashEnvText({ ...shellFolder(folder, { commonDir: folder }), launcher }));
  const bash = (command: string, env: object) =>
    execFileSync('bash', ['-c', command], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, BASH_ENV: bashEnv, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  expect(bash("echo 'a b'; echo c", { GEMINI_CLI: '1' })).toBe("wrapped:echo 'a b'; echo c:\n");
  expect(bash('echo plain', {})).toBe('plain\n');
  writeFileSync(
    bashEnv,
    bashEnvText({ ...shellFolder(folder, { commonDir: folder }), launcher: '/nowhere' }),
  );
  expect(() => bash('echo plain', { GEMINI_CLI: '1' })).toThrow();
});
