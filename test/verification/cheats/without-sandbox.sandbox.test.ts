import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { hasEnded } from '../../support/ended.ts';
import { further } from '../../support/thorough.ts';
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

const FAILS = { gate: 'tests', reason: /multiplies two numbers/ } as const;
const bases: CheatBase[] = [];
afterAll(() => {
  for (const base of bases) base.cleanup();
});

function newProject(files = UNMEASURED_PROJECT): CheatProject {
  const base = new CheatBase(files);
  bases.push(base);
  const project = base.project();
  project.sandbox.noSandbox = 'there is none in this test';
  return project;
}

const attack = (code: string): Record<string, string> => ({
  ...HONEST,
  'src/multiply.js': MULTIPLY.replace('*', '+'),
  'test/multiply.test.js': `import { spawn } from 'node:child_process';\nimport * as fs from 'node:fs';\n${MULTIPLY_TEST}\n${code}\n`,
});

describe.concurrent('without a sandbox', () => {
  further('a failing test fails, and the verdict records the missing sandbox', async () => {
    const answer = await newProject().write(attack('')).verify();
    expectStopped(answer, FAILS);
    expect(JSON.parse(answer.stdout).sandbox).toBeNull();
  });

  it('a project that requires one is not verified', async () => {
    const project = newProject({
      ...UNMEASURED_PROJECT,
      '.guardkit/config.yaml': `${UNMEASURED_PROJECT['.guardkit/config.yaml']}sandbox:\n  required: true\n`,
    }).write({ ...HONEST, '.guardkit/config.yaml': UNMEASURED_PROJECT['.guardkit/config.yaml'] ?? '' });
    const answer = await project.verify();
    expect(answer.exitCode).not.toBe(0);
    expect(answer.stderr).toContain('sandbox.required');
  });

  further('a test that repairs the project’s own files does not change the verdict', async () => {
    const project = newProject();
    project.write(
      attack(
        `fs.writeFileSync(${JSON.stringify(project.path('src/multiply.js'))}, ${JSON.stringify(MULTIPLY)});`,
      ),
    );
    expectStopped(await project.verify(), FAILS);
    expect(readFileSync(project.path('src/multiply.js'), 'utf8')).toBe(MULTIPLY);
  });

  further('a process left behind by a test does not survive to repair the files of later runs', async () => {
    const project = newProject();
    const strays = project.sandbox.path('outside', 'strays');
    const mend = `require('fs').mkdirSync(${JSON.stringify(strays)} + '/' + process.pid, { recursive: true }); setInterval(() => {}, 1000);`;
    project.write(
      attack(
        `spawn(process.execPath, ['-e', ${JSON.stringify(mend)}], { detached: true, stdio: 'ignore' }).unref();
while (!fs.existsSync(${JSON.stringify(strays)})) await new Promise((resolve) => setTimeout(resolve, 10));`,
      ),
    );
    expectStopped(await project.verify(), FAILS);
    const pids = readdirSync(strays);
    expect(pids).not.toEqual([]);
    expect(pids.filter((pid) => !hasEnded(Number(pid)))).toEqual([]);
  });

  further('packages changed by a test are reinstalled for the next run', async () => {
    const project = newProject({
      ...UNMEASURED_PROJECT,
      '.guardkit/config.yaml': config('setup: mkdir -p node_modules/.bin\ntests:\n  command: npm test\n'),
      'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
    }).write(attack(`fs.writeFileSync('node_modules/.bin/node', '#!/bin/sh\\nexit 0\\n', { mode: 0o755 });`));
    expectStopped(await project.verify(), FAILS);
    expectStopped(await project.verify(), FAILS);
  });

  further('a test that redirects the workspace’s git does not redirect GuardKit', async () => {
    const project = newProject().write(
      attack(
        `fs.rmSync('.git', { recursive: true, force: true });\nfs.writeFileSync('.git', 'gitdir: /nowhere');`,
      ),
    );
    expectStopped(await project.verify(), FAILS);
    expectStopped(await project.verify(), FAILS);
  });
});
