import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeWork, readWork } from '../../../src/config/work/read-work.ts';
import { decodeWorkFiles, readWorkFiles } from '../../../src/config/work/read-work-files.ts';

let folder: string;
let root: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-work-')));
  root = join(folder, 'project');
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const task = (id: string) => `---\nid: ${id}\ntitle: a\n---\n## Acceptance Criteria\n- a\n`;
const ids = async () => (await readWork(root)).tasks.map(({ id }) => id);
const faults = async () => (await readWork(root)).faults.map(({ file, code }) => `${file} ${code}`);

describe('the work of a folder', () => {
  it('is empty without files', async () => {
    expect(await readWork(root)).toEqual({ tasks: [], features: [], faults: [] });
    write('tasks', 'somebody else’s file');
    expect(await readWork(root)).toEqual({ tasks: [], features: [], faults: [] });
  });

  it('is in all folders under tasks, and directly in the features folder', async () => {
    write('tasks/TASK-1.md', task('TASK-1'));
    write('tasks/done/2026/ünï code/TASK-2 with spaces.md', task('TASK-2'));
    write('tasks/done/notes.md', 'x');
    write('tasks/.git/TASK-3.md', task('TASK-3'));
    write('tasks/node_modules/TASK-4.md', task('TASK-4'));
    write('.guardkit/features/FEAT-A.yml', 'id: FEAT-A\nname: a\ntasks: [TASK-1 ]\n');
    write('.guardkit/features/FEAT-B/FEAT-B.yaml', 'id: FEAT-B\nname: a\n');
    write('.guardkit/features/README.md', 'x');
    const work = await readWork(root);
    expect(work.tasks.map(({ path }) => path)).toEqual([
      'tasks/TASK-1.md',
      'tasks/done/2026/ünï code/TASK-2 with spaces.md',
    ]);
    expect(work.features.map(({ id }) => id)).toEqual(['FEAT-A', 'TASK-2']);
    expect(work.faults).toMatchObject([
      { code: 'name-mismatch', message: expect.stringContaining('TASK-2') },
    ]);
  });

  it('does not follow links out of the project, and reports them', async () => {
    writeFileSync(join(folder, 'secret.md'), task('TASK-1'));
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'elsewhere', 'TASK-2.md'), task('TASK-2'));
    mkdirSync(join(root, 'tasks'));
    symlinkSync(join(folder, 'secret.md'), join(root, 'tasks', 'TASK-1.md'));
    symlinkSync(join(folder, 'elsewhere'), join(root, 'tasks', 'more'));
    symlinkSync(join(folder, 'nowhere'), join(root, 'tasks', 'TASK-3.md'));
    mkdirSync(join(root, '.guardkit'));
    symlinkSync(join(folder, 'elsewhere'), join(root, '.guardkit', 'features'));
    expect(await ids()).toEqual([]);
    expect(await faults()).toEqual([
      '.guardkit/features outside-link',
      'tasks/TASK-1.md outside-link',
      'tasks/TASK-3.md unreadable',
      'tasks/more outside-link',
    ]);
  });

  it('follows links inside, each file once and never in a circle', async () => {
    write('docs/TASK-1.md', task('TASK-1'));
    mkdirSync(join(root, 'tasks'));
    symlinkSync('../docs', join(root, 'tasks', 'linked'));
    symlinkSync('../docs/TASK-1.md', join(root, 'tasks', 'TASK-1.md'));
    symlinkSync('.', join(root, 'tasks', 'circle'));
    expect(await ids()).toEqual(['TASK-1']);
    expect(await faults()).toEqual([]);
  });

  it('reports unreadable files, and reads the rest', async () => {
    write('tasks/TASK-1.md', task('TASK-1'));
    write('tasks/TASK-2.md', Buffer.from([0x2d, 0xff, 0xfe]));
    write('tasks/TASK-3.md', 'x'.repeat(1_100_000));
    mkdirSync(join(root, 'tasks', 'TASK-4.md'));
    execFileSync('mkfifo', [join(root, 'tasks', 'TASK-5.md')]);
    expect(await ids()).toEqual(['TASK-1']);
    expect(await faults()).toEqual([
      'tasks/TASK-2.md not-utf8',
      'tasks/TASK-3.md too-large',
      'tasks/TASK-4.md unreadable',
      'tasks/TASK-5.md unreadable',
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('names what may not be read', async () => {
    write('tasks/TASK-1.md', task('TASK-1'));
    chmodSync(join(root, 'tasks', 'TASK-1.md'), 0);
    expect(await faults()).toEqual(['tasks/TASK-1.md unreadable']);
  });

  it('stops at the file limit, and reports it once', () => {
    for (let n = 0; n < 6; n++) write(`tasks/TASK-${n}.md`, task(`TASK-${n}`));
    const { files, faults: found } = readWorkFiles(root, 3);
    expect(files).toHaveLength(3);
    expect(found).toMatchObject([{ file: 'tasks/TASK-3.md', code: 'too-many-files' }]);
  });
});

describe('the work of a commit', () => {
  it('is read as from a folder with the same files', async () => {
    const contents = new Map<string, Buffer>();
    const put = (path: string, text: string | Uint8Array) => {
      write(path, text);
      contents.set(path, Buffer.from(text));
    };
    put('tasks/TASK-1.md', task('TASK-1'));
    put('tasks/done/2026/TASK-2 with spaces.md', `\uFEFF${task('TASK-2')}`);
    put('tasks/notes.md', 'x');
    put('tasks/.git/TASK-3.md', task('TASK-3'));
    put('tasks/node_modules/TASK-4.md', task('TASK-4'));
    put(`tasks/${'d/'.repeat(12)}TASK-5.md`, task('TASK-5'));
    put(`tasks/${'d/'.repeat(13)}TASK-6.md`, task('TASK-6'));
    put('tasks/TASK-7.md', new Uint8Array([0x23, 0xff]));
    put('tasks/TASK-8.md', task('TASK-8').padEnd(1_100_000));
    put('.guardkit/features/FEAT-A.yml', 'id: FEAT-A\nname: a\ntasks: [TASK-1 ]\n');
    put('.guardkit/features/FEAT-B/FEAT-B.yaml', 'id: FEAT-B\nname: a\n');
    put('README.md', 'x');
    const work = await decodeWork(contents);
    expect(work).toEqual(await readWork(root));
    expect(work.tasks.map(({ id }) => id)).toEqual(['TASK-1', 'TASK-5', 'TASK-2']);
    expect(work.faults.map(({ code }) => code)).toEqual(expect.arrayContaining(['not-utf8', 'too-large']));
  });

  it('is limited in its number of files', () => {
    const contents = new Map(['TASK-1', 'TASK-2'].map((id) => [`tasks/${id}.md`, Buffer.from(task(id))]));
    expect(decodeWorkFiles(contents, 1)).toMatchObject({
      files: [{ path: 'tasks/TASK-1.md' }],
      faults: [{ file: 'tasks/TASK-2.md', code: 'too-many-files' }],
    });
  });
});
