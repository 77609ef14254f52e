import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { versionsIn } from '../../../src/platform/git/git-versions.ts';
import { commitsAmong, lastCommitsOutside, newObjects } from '../../../src/platform/git/new-objects.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

let count = 0;
let name = '';
beforeEach(() => {
  name = `project-${++count}`;
  sandbox.repository(name);
});

const git = (...args: string[]) => sandbox.git(name, ...args).trim();
const folder = (path = '') => join(sandbox.path(name), '.git', path);
/** A commit without a ref. */
const strayCommit = (message = 'stray') => git('commit-tree', '-p', 'HEAD', '-m', message, 'HEAD^{tree}');
const always = () => true;
const never = () => false;
/** Earlier than now, as its caller gives it: the clock of file systems lags behind. */
const reading = () => ({ at: Date.now() - 100, places: newObjects(folder(), undefined, never).places });
const commitsSince = (before: ReturnType<typeof reading>, isDuring: (time: number) => boolean = always) =>
  commitsAmong(folder(), newObjects(folder(), before, isDuring).ids);

function pack(commit: string, ...options: string[]): void {
  writeFileSync(join(sandbox.path(name), 'ids'), `${commit}\n`);
  // Through a shell, since the ids are read from the standard input.
  const script = `!f() { git pack-objects -q ${options.join(' ')} .git/objects/pack/pack < ids; }; f`;
  git('-c', `alias.packed=${script}`, 'packed');
  rmSync(folder(`objects/${commit.slice(0, 2)}/${commit.slice(2)}`), { force: true });
}

describe('the new objects of a repository', () => {
  it('are those written since the last reading, also without a ref', () => {
    const old = strayCommit('old');
    const before = { ...reading(), at: 0 };
    const since = Date.now() - 20;
    const commit = strayCommit();
    expect(commitsSince(before, (time) => time >= since)).toContain(commit);
    expect(commitsSince(before, never)).toEqual([]);
    expect(newObjects(folder(), undefined, always).ids).toEqual([]);
    expect(commitsSince(before)).toContain(old);
  });

  it.each([
    ['of the usual format', []],
    ['of the first format', ['--index-version=1']],
  ])('include those of a new pack with an index %s', (_name, options) => {
    const commit = strayCommit();
    const before = reading();
    pack(commit, ...options);
    expect(commitsSince(before, never)).toEqual([commit]);
    expect(commitsSince(reading(), never)).toEqual([]);
  });

  it('include older ones in a folder that was moved here', () => {
    const commit = strayCommit();
    const start = commit.slice(0, 2);
    mkdirSync(folder('aside'));
    renameSync(folder(`objects/${start}`), folder(`aside/${start}`));
    const before = { ...reading(), at: Date.now() + 10_000 };
    renameSync(folder(`aside/${start}`), folder(`objects/${start}`));
    expect(commitsSince(before, never)).toContain(commit);
  });

  it('include older ones in a folder that could not be read', () => {
    const commit = strayCommit();
    const hidden = folder(`objects/${commit.slice(0, 2)}`);
    chmodSync(hidden, 0);
    const before = { ...reading(), at: Date.now() + 10_000 };
    chmodSync(hidden, 0o755);
    expect(commitsSince(before, never)).toContain(commit);
  });

  it('include an older one that a link leads to', () => {
    const commit = strayCommit();
    const file = folder(`objects/${commit.slice(0, 2)}/${commit.slice(2)}`);
    renameSync(file, folder('aside'));
    const before = reading();
    symlinkSync(folder('aside'), file);
    expect(commitsSince(before, never)).toEqual([commit]);
  });

  it('include those of another repository whose objects it uses', () => {
    const commit = strayCommit();
    const before = { ...reading(), at: Date.now() + 10_000 };
    renameSync(folder('objects'), folder('others'));
    mkdirSync(folder('objects/info'), { recursive: true });
    writeFileSync(folder('objects/info/alternates'), '../others\n');
    expect(commitsSince(before, never)).toContain(commit);
  });

  it('have 64 digits in a repository with SHA-256', () => {
    sandbox.git('.', 'init', '-q', '--object-format=sha256', `${name}-long`);
    name = `${name}-long`;
    sandbox.write(`${name}/a`, 'a');
    git('add', 'a');
    sandbox.commit(name, 'First');
    const before = reading();
    const commit = strayCommit();
    expect(commitsSince(before)).toContain(commit);
    pack(commit);
    expect(commitsSince(before, never)).toContain(commit);
  });

  it('are none without git’s objects', () => {
    const before = reading();
    rmSync(folder('objects'), { recursive: true });
    expect(newObjects(folder(), before, always)).toEqual({ ids: [], places: {} });
  });
});

describe('commits outside of a history', () => {
  it('are the last ones that it does not contain', () => {
    const first = strayCommit();
    const second = git('commit-tree', '-p', first, '-m', 'second', 'HEAD^{tree}');
    const head = git('rev-parse', 'HEAD');
    expect(lastCommitsOutside(folder(), [head, first, second], [head])).toEqual([second]);
    expect(lastCommitsOutside(folder(), [head, first], [second])).toEqual([]);
  });

  it('are unknown if one has no parent here, but their files are readable', () => {
    sandbox.write(`${name}/rules/one.yaml`, 'a: 1');
    git('add', '--all');
    sandbox.commit(name, 'Rules');
    const missing = '1'.repeat(40);
    const text = git('cat-file', 'commit', 'HEAD').replace(/^parent .*$/m, `parent ${missing}`);
    writeFileSync(join(sandbox.path(name), 'commit'), `${text}\n`);
    const commit = git('hash-object', '-t', 'commit', '-w', '--literally', 'commit');
    const blob = git('rev-parse', 'HEAD:rules/one.yaml');
    expect(lastCommitsOutside(folder(), [commit], [])).toBeUndefined();
    expect(versionsIn(folder(), [commit], ['rules'])).toEqual(new Map([['rules/one.yaml', new Set([blob])]]));
  });
});
