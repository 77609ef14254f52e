import { chmodSync, rmSync } from 'node:fs';
import { afterAll, describe, it } from 'vitest';
import { CheatBase, type CheatProject, config, MULTIPLY_TEST, UNMEASURED_PROJECT } from './cheat-project.ts';
import { expectStopped } from './expect-stopped.ts';

const BROKEN = {
  'src/multiply.js': 'export function multiply(a, b) {\n  return a + b;\n}\n',
  'test/multiply.test.js': MULTIPLY_TEST,
};

/** Reports every test file as passed in the real runner's format, and does nothing else. */
const LYING_NODE = `#!/bin/sh
for word in "$@"; do case $word in --test*) echo '# pass 3'; exit 0 ;; esac; done
exec ${process.execPath} "$@"
`;

describe('a program above the workspace', () => {
  const base = new CheatBase({
    ...UNMEASURED_PROJECT,
    '.guardkit/config.yaml': config('tests:\n  command: npm test\n'),
  });
  afterAll(() => base.cleanup());

  for (const folder of ['', 'data/', 'data/worktrees/', 'data/worktrees/cheats/'])
    it(`is not what runs the tests: ${folder}node_modules/.bin/node`, async () => {
      const project = base.project().write(BROKEN);
      const planted = base.sandbox.write(`${folder}node_modules/.bin/node`, LYING_NODE);
      chmodSync(planted, 0o755);
      expectStopped(await project.verify(), { gate: 'tests', reason: /multiplies two numbers/ });
      rmSync(base.sandbox.path(folder, 'node_modules'), { recursive: true });
    });
});

describe('a program that the candidate plants where npm looks first', () => {
  const base = new CheatBase({
    ...UNMEASURED_PROJECT,
    '.guardkit/config.yaml': config('tests:\n  command: npm --prefix packages/calc test\n'),
    'packages/calc/package.json': '{ "name": "calc", "scripts": { "test": "cd ../.. && node --test" } }\n',
  });
  afterAll(() => base.cleanup());

  const plant = (where: string) => (project: CheatProject) => {
    project.write(BROKEN).program(where, LYING_NODE);
    project.git('add', '--force', where);
  };

  for (const where of [
    'node_modules/.bin/node',
    'packages/node_modules/.bin/node',
    'packages/calc/node_modules/.bin/node',
  ])
    it(`is not what runs the tests: ${where}`, async () => {
      const project = base.project();
      plant(where)(project);
      const answer = await project.verify();
      expectStopped(answer, { gate: 'harness', reason: /node_modules/ });
    });
});
