import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Repository } from '../../../src/platform/git/repository.ts';
import { copyBuilds } from '../../../src/verification/workspaces/copied-builds.ts';
import { openVerificationWorkspace } from '../../../src/verification/workspaces/open-verification-workspace.ts';
import { BARE_WORKSPACE } from '../../../src/verification/workspaces/workspace-state.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { Sandbox } from '../../support/cli.ts';
import { further } from '../../support/thorough.ts';
import { RUN_TESTS } from '../../support/verified-project.ts';
import { CheatBase, config, HONEST, QUICK_PROJECT } from '../cheats/cheat-project.ts';
import { printedInRuns } from '../cheats/planted-environment.ts';

describe('a test command that deletes and rebuilds what the set-up built', () => {
  const base = new CheatBase({
    ...QUICK_PROJECT,
    'install.sh': 'echo "SET-UP RUNS"\nmkdir -p dist lib/empty && echo built > dist/out.js\n',
    'build.sh': `set -e
grep -q '^built$' dist/out.js
test -d lib/empty
rm -r dist lib
mkdir dist
echo rebuilt > dist/out.js
`,
    '.gitignore': 'dist\nlib\nlcov.info\n',
    '.guardkit/config.yaml': config(
      `setup: sh install.sh\ntests:\n  command: sh build.sh && ${RUN_TESTS}\nchecks:\n  - { name: again, command: sh build.sh }\n`,
    ),
  });
  afterAll(() => base.cleanup());

  further('passes, and every command starts with the result of the set-up', async (context) => {
    await bubblewrap(context);
    const answer = await base.project().write(HONEST).verify();
    expect(answer.outcome, answer.stdout).toBe('pass');
    // The base, the base with new tests, and the candidate: a build belongs to one tree. The check needs no further one.
    expect(printedInRuns(base.sandbox).split('SET-UP RUNS').length - 1).toBe(3);
  });
});

describe('builds of a set-up', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.cleanup());

  const open = async (name: string) => {
    sandbox.repository(name);
    const repository = await Repository.open(sandbox.path(name));
    mkdirSync(sandbox.path(`${name} rooms`));
    const commit = (await repository.commit('HEAD')) ?? '';
    const workspace = await openVerificationWorkspace(repository, sandbox.path(`${name} rooms`), commit);
    const inside = (path: string) => join(workspace.folder, path);
    for (const folder of ['packages/a/dist', 'node_modules']) mkdirSync(inside(folder), { recursive: true });
    writeFileSync(inside('packages/a/dist/out.js'), 'built');
    workspace.remember({
      ...BARE_WORKSPACE,
      setupKey: 'key',
      dependencyFolders: ['node_modules'],
      otherAdditions: ['packages/a/dist/', 'gone/'],
    });
    return { workspace, inside };
  };

  it('are copied without the dependencies, and the originals return', async () => {
    const { workspace, inside } = await open('usual');
    const lent = await copyBuilds(workspace);
    expect(lent.folders).toEqual(['packages/a/dist']);
    expect(readFileSync(inside('packages/a/dist/out.js'), 'utf8')).toBe('built');
    rmSync(inside('packages'), { recursive: true });
    lent.takeBack();
    expect(readFileSync(inside('packages/a/dist/out.js'), 'utf8')).toBe('built');
    expect(workspace.state.setupKey).toBe('key');
    expect(existsSync(`${workspace.folder}.lent`)).toBe(false);
    workspace.release();
  });

  it('are never moved through a link: the set-up runs again instead', async () => {
    const { workspace, inside } = await open('linked');
    const lent = await copyBuilds(workspace);
    mkdirSync(sandbox.path('elsewhere/a/dist'), { recursive: true });
    writeFileSync(sandbox.path('elsewhere/a/dist/mine'), '');
    rmSync(inside('packages'), { recursive: true });
    symlinkSync(sandbox.path('elsewhere'), inside('packages'));
    lent.takeBack();
    expect(existsSync(sandbox.path('elsewhere/a/dist/mine'))).toBe(true);
    expect(existsSync(sandbox.path('elsewhere/a/dist/out.js'))).toBe(false);
    expect(workspace.state.setupKey).toBeNull();
    workspace.release();
  });
});
