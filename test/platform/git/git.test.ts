import { existsSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { git } from '../../../src/platform/git/git.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());
afterEach(() => vi.unstubAllEnvs());

describe('git, called for a hostile repository', () => {
  it('runs none of its hooks, monitors and pagers', async () => {
    sandbox.repository('hostile');
    const mark = sandbox.path('HACKED');
    const hook = sandbox.write('hostile/.git/hooks/post-checkout', `#!/bin/sh\ntouch ${mark}\n`);
    await sandbox.shell(`chmod +x ${hook}`);
    for (const setting of ['core.fsmonitor', 'core.pager', 'diff.external'])
      sandbox.git('hostile', 'config', setting, `touch ${mark};`);
    sandbox.write('hostile/file', 'new\n');
    sandbox.git('hostile', 'config', 'core.hooksPath', '.git/hooks');

    const folder = sandbox.path('hostile');
    expect((await git(folder, ['checkout', '--quiet', '-b', 'other'])).exitCode).toBe(0);
    expect((await git(folder, ['status', '--porcelain'])).stdout).toBe('?? file\n');
    expect((await git(folder, ['diff', 'HEAD'])).exitCode).toBe(0);
    expect(existsSync(mark)).toBe(false);
  });

  it('is not led elsewhere by variables of the caller', async () => {
    sandbox.repository('here');
    sandbox.repository('there');
    vi.stubEnv('GIT_DIR', sandbox.path('there', '.git'));
    vi.stubEnv('GIT_WORK_TREE', sandbox.path('there'));
    const { stdout } = await git(sandbox.path('here'), ['rev-parse', '--show-toplevel']);
    expect(stdout.trim()).toBe(sandbox.path('here'));
  });

  it('speaks one language, so that its answers can be read', async () => {
    vi.stubEnv('LANG', 'de_DE.UTF-8');
    vi.stubEnv('LC_ALL', 'de_DE.UTF-8');
    const { stderr, exitCode } = await git(sandbox.path('outside'), ['rev-parse', 'HEAD']);
    expect(stderr).toContain('not a git repository');
    expect(exitCode).toBe(128);
  });
});
