import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { explainSnapshotFailure } from '../../../src/platform/git/snapshot-failure.ts';
import { CheatBase, HONEST, QUICK_PROJECT } from '../cheats/cheat-project.ts';

const base = new CheatBase(QUICK_PROJECT);
afterAll(() => base.cleanup());

function sparseFile(path: string, megabytes: number): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, megabytes * 1024 * 1024);
  closeSync(file);
}

describe('working files that are hard to read', () => {
  it('an untracked file of 300 MB is verified like any other', async () => {
    const project = base.project().write(HONEST);
    sparseFile(project.path('recording.bin'), 300);
    const answer = await project.verify();
    expect(answer.outcome).toBe('pass');
  });

  it('a fifo and a socket are left out', async () => {
    const project = base.project().write(HONEST);
    execFileSync('mkfifo', [project.path('pipe')]);
    const server = createServer().listen(project.path('socket'));
    const answer = await project.verify().finally(() => server.close());
    expect(answer.outcome).toBe('pass');
  });

  it('an unreadable file is named, with a hint', async () => {
    const project = base.project();
    const said = `git add failed: error: open("secret.key"): Permission denied\nfatal: adding files failed`;
    const failed = new GuardKitError({ code: 'git.failed', kind: 'outside', message: said, hint: '' });
    const repository = await Repository.open(project.path());
    expect(await explainSnapshotFailure(repository, failed)).toMatchObject({
      code: 'snapshot.unreadable',
      message: expect.stringContaining('secret.key'),
    });
  });

  it('a large file is named if git gives up', async () => {
    const project = base.project();
    sparseFile(project.path('recording.bin'), 60);
    const failed = new GuardKitError({
      code: 'git.failed',
      kind: 'outside',
      message: 'No space left',
      hint: '',
    });
    const repository = await Repository.open(project.path());
    expect(await explainSnapshotFailure(repository, failed)).toMatchObject({
      code: 'snapshot.too-large',
      message: expect.stringContaining('recording.bin (60 MB)'),
    });
  });

  it('many untracked files are verified like any others', async () => {
    const project = base.project().write(HONEST);
    mkdirSync(project.path('records'));
    for (let index = 0; index < 5000; index++) writeFileSync(project.path('records', `${index}`), `${index}`);
    const answer = await project.verify();
    expect(answer.outcome).toBe('pass');
  });
});
