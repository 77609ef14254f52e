import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outcomes, recorded } from '../test-reports/recorded.ts';
import { packageJson, TestProject } from './test-project.ts';

let project: TestProject;
beforeEach(() => {
  project = new TestProject({ 'package.json': packageJson({}) });
});
afterEach(() => project.remove());

const FORGED = { code: 'forged', why: expect.any(String) };
const passing = JSON.stringify({
  testResults: [
    { name: 'a.test.js', status: 'passed', assertionResults: [{ title: 'a', status: 'passed' }] },
  ],
});

/** Takes the key and writes a record, like the tap. */
function leaveRecord(name: string, report = passing): string {
  const keyFile = join(project.folder.path, 'key');
  const key = readFileSync(keyFile, 'utf8');
  writeFileSync(keyFile, digest('next', key));
  const path = join(project.folder.path, name);
  writeFileSync(path, record(digest('name', key), digest('seal', key), report));
  return path;
}

function digest(purpose: string, key: string): string {
  return createHash('sha256').update(`${purpose}:${key}`).digest('hex');
}

function record(key: string, secret: string, report: string): string {
  const signed = `${JSON.stringify({ runner: 'vitest', exitCode: 0 })}\n${report}`;
  const mac = createHmac('sha256', secret).update(signed).digest('hex');
  return `${JSON.stringify({ guardkit: 'record', key, mac })}\n${signed}`;
}

const SILENT = { path: 'key', code: 'no-record', why: expect.any(String) };

describe('records', () => {
  it('of several runners are all read', async () => {
    leaveRecord('1.record');
    leaveRecord('2.record');
    const { reports, unreadable } = await project.collect();
    expect(reports.map(outcomes)).toEqual([['passed a'], ['passed a']]);
    expect(unreadable).toEqual([]);
  });

  it('a report that somebody put into the folder is not trusted', async () => {
    writeFileSync(join(project.folder.path, 'report.json'), passing);
    writeFileSync(join(project.folder.path, 'junit.xml'), '<testsuite><testcase name="a"/></testsuite>');
    expect(await project.collect()).toEqual({
      reports: [],
      unreadable: [
        { path: 'junit.xml', ...FORGED },
        { path: 'report.json', ...FORGED },
      ],
    });
  });

  it('sealed with an invented or untaken key are not trusted', async () => {
    const { path, firstKey } = project.folder;
    writeFileSync(join(path, '1.record'), record(digest('name', firstKey), 'x'.repeat(64), passing));
    writeFileSync(
      join(path, '2.record'),
      record(digest('name', firstKey), digest('seal', firstKey), passing),
    );
    writeFileSync(join(path, '3.record'), record('__proto__', '', passing));
    const { reports, unreadable } = await project.collect();
    expect(reports).toEqual([]);
    expect(unreadable.map(({ code }) => code)).toEqual(['forged', 'forged', 'forged']);
  });

  it('changed after sealing are not trusted, and their runner has no other', async () => {
    const path = leaveRecord('1.record', passing.replace('"passed"}]', '"failed"}]'));
    writeFileSync(path, readFileSync(path, 'utf8').replace('"failed"', '"passed"'));
    expect(await project.collect()).toEqual({
      reports: [],
      unreadable: [{ path: '1.record', ...FORGED }, SILENT],
    });
  });

  it('removed after sealing are reported missing', async () => {
    rmSync(leaveRecord('1.record'));
    expect((await project.collect()).unreadable).toEqual([SILENT]);
  });

  it('are invalid once the key was removed or replaced without knowing it', async () => {
    leaveRecord('1.record');
    const changed = { path: 'key', code: 'key-changed', why: expect.any(String) };
    writeFileSync(join(project.folder.path, 'key'), 'put back, but what was in it?');
    expect((await project.collect()).unreadable).toEqual([changed]);
    rmSync(join(project.folder.path, 'key'));
    expect((await project.collect()).unreadable).toEqual([changed]);
  });

  it('copied under another name count once', async () => {
    const path = leaveRecord('1.record');
    copyFileSync(path, join(project.folder.path, '2.record'));
    const { reports, unreadable } = await project.collect();
    expect(reports).toHaveLength(1);
    expect(unreadable).toEqual([{ path: '2.record', code: 'repeated', why: expect.any(String) }]);
  });

  it('of a removed folder are reported missing', async () => {
    rmSync(project.folder.path, { recursive: true });
    expect(await project.collect()).toEqual({
      reports: [],
      unreadable: [{ path: 'key', code: 'key-changed', why: expect.any(String) }],
    });
  });

  it('that are links, folders or pipes are not read', async () => {
    const { path } = project.folder;
    symlinkSync('/dev/zero', join(path, 'a-link'));
    mkdirSync(join(path, 'b-folder'));
    execFileSync('mkfifo', [join(path, 'c-pipe')]);
    const { unreadable } = await project.collect();
    expect(unreadable).toEqual([
      { path: 'a-link', code: 'not-a-file', why: expect.any(String) },
      { path: 'b-folder', code: 'not-a-file', why: expect.any(String) },
      { path: 'c-pipe', code: 'not-a-file', why: expect.any(String) },
    ]);
  });

  it('pytest writes its report under its given name', async () => {
    writeFileSync(join(project.folder.path, 'pytest.xml'), recorded('pytest/all.pytest-9-xunit1.xml'));
    const { reports, unreadable } = await project.collect();
    expect(reports.map(({ runner }) => runner)).toEqual(['pytest']);
    expect(unreadable).toEqual([]);
  });
});

describe('a test that attacks its own report', () => {
  it('finds the folder, but neither the key nor a way to pass', async () => {
    project.write({
      'a.test.js': `
        import { readFileSync, writeFileSync, readdirSync } from 'node:fs';
        import { it } from 'vitest';
        it('fails', () => { throw new Error('for real'); });
        it('forges', () => {
          const folder = ${JSON.stringify(project.folder.path)};
          for (const name of ['forged.json', process.ppid + '-forged.record']) {
            writeFileSync(folder + '/' + name, ${JSON.stringify(passing)});
          }
        });`,
    });
    await project.run('node_modules/.bin/vitest run');
    const { reports, unreadable } = await project.collect();
    expect(reports.map(outcomes)).toEqual([['failed fails', 'passed forges']]);
    expect(unreadable.map(({ code }) => code)).toEqual(['forged', 'forged']);
  });
});

describe('a declared report', () => {
  it('is read from the tree, also as a folder', async () => {
    project.write({
      'out/a.xml': '<testsuite><testcase name="a"/></testsuite>',
      'out/b.xml': '<testsuite><testcase name="b"/></testsuite>',
      'out/notes.txt': 'not a report',
    });
    expect((await project.collect('', 'out')).reports.flatMap(outcomes)).toEqual(['passed a', 'passed b']);
    expect((await project.collect('', 'out/b.xml')).reports.flatMap(outcomes)).toEqual(['passed b']);
  });

  it('may be a glob of files or folders, as with the modules of Maven', async () => {
    project.write({
      'a/target/surefire-reports/a.xml': '<testsuite><testcase name="a"/></testsuite>',
      'b/c/target/surefire-reports/b.xml': '<testsuite><testcase name="b"/></testsuite>',
      'node_modules/d/target/surefire-reports/d.xml': '<testsuite><testcase name="d"/></testsuite>',
    });
    const { reports } = await project.collect('', '**/target/surefire-reports');
    expect(reports.flatMap(outcomes)).toEqual(['passed a', 'passed b']);
    expect(await project.collect('', '*/missing')).toEqual({
      reports: [],
      unreadable: [{ path: '*/missing', code: 'not-in-tree', why: expect.any(String) }],
    });
  });

  it('from before the command belongs to another run', async () => {
    project.write({ 'a.xml': '<testsuite><testcase name="a"/></testsuite>' });
    const { reports, unreadable } = await project.collect('', 'a.xml', Date.now() + 60_000);
    expect(reports).toEqual([]);
    expect(unreadable).toEqual([{ path: 'a.xml', code: 'stale', why: expect.any(String) }]);
  });

  it.each(['missing.xml', '../outside.xml', '/etc/hostname', 'link.xml'])(
    '%s is not in the tree',
    async (path) => {
      writeFileSync(join(project.root, '..', 'outside.xml'), '<testsuite><testcase name="a"/></testsuite>');
      symlinkSync('../outside.xml', join(project.root, 'link.xml'));
      expect(await project.collect('', path)).toEqual({
        reports: [],
        unreadable: [{ path, code: 'not-in-tree', why: expect.any(String) }],
      });
    },
  );

  it('in an unknown format is unreadable', async () => {
    project.write({ 'a.txt': 'fine' });
    expect((await project.collect('', 'a.txt')).unreadable).toMatchObject([{ path: 'a.txt' }]);
  });
});

describe('printed output', () => {
  it('is read as go test, cargo test or TAP', async () => {
    for (const [path, runner] of [
      ['go-test/calc.json.txt', 'go test'],
      ['go-test/calc.v.txt', 'go test'],
      ['cargo-test/ok.txt', 'cargo test'],
      ['tap/tape.tap', 'tap'],
    ] as const) {
      const { reports } = await project.collect(recorded(path));
      expect(reports.map((report) => report.runner)).toEqual([runner]);
    }
  });

  it('is not TAP if a runner left a record: its tests may print anything', async () => {
    leaveRecord('1.record');
    const { reports } = await project.collect('TAP version 13\nnot ok 1 - in a string\n1..1\n');
    expect(reports.map(({ runner }) => runner)).toEqual(['vitest']);
  });

  it('in an unknown format is not a report', async () => {
    expect(await project.collect('done\n')).toEqual({ reports: [], unreadable: [] });
  });
});
