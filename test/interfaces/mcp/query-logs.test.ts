import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LineGroups } from '../../../src/interfaces/mcp/logs/group-lines.ts';
import { isLogName, openLog } from '../../../src/interfaces/mcp/logs/open-log.ts';
import {
  levelOf,
  lineFilter,
  MAX_SCANNED_BYTES,
  readLines,
} from '../../../src/interfaces/mcp/logs/read-lines.ts';
import { queryLogsTool } from '../../../src/interfaces/mcp/tools/query-logs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { McpCaller } from './mcp-client.ts';

const LINES = [
  '2026-11-15T10:00:01Z INFO  started on port 8080',
  '2026-11-15T10:00:02Z ERROR request 17 failed after 120ms: ECONNRESET',
  '2026-11-15T10:59:03Z WARN  request 18 was slow (950ms)',
  '2026-11-15T11:00:04Z ERROR request 19 failed after 3ms: ECONNRESET',
  '2026-11-15T11:00:05Z debug cache 0x1f2e hit',
  'no level at all',
];

async function logs(files: Record<string, string | Buffer> = { 'logs/app.log': `${LINES.join('\n')}\n` }) {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const caller = await McpCaller.connect({ cwd: folder, env: { HOME: folder } }, [queryLogsTool]);
  const ask = (input: Record<string, unknown>) =>
    caller.call('query_logs', { path: 'logs/app.log', ...input });
  return { folder, ask, caller };
}

it('the end of a log comes first, with the numbers of its lines', async () => {
  const { ask } = await logs();
  const [head, ...lines] = (await ask({ limit: 2 })).text.split('\n');
  expect(head).toMatch(/^logs\/app\.log: 6 .*6 .*2/);
  expect(lines).toEqual([`5: ${LINES[4]}`, `6: ${LINES[5]}`]);
  expect((await ask({ show: 'head', limit: 1 })).text.split('\n').slice(1)).toEqual([`1: ${LINES[0]}`]);
});

it('lines are filtered by texts and level, and counted', async () => {
  const { ask } = await logs();
  expect((await ask({ show: 'count', level: 'error' })).text).toMatch(/^logs\/app\.log: 2 .*6/);
  expect((await ask({ show: 'count', level: 'warn' })).text).toMatch(/: 3 .*6/);
  expect((await ask({ contains: ['econnreset', 'request'], without: ['19'] })).text).toContain('2: 2026');
  expect((await ask({ contains: ['econnreset'], ignore_case: false })).text).toMatch(
    /^logs\/app\.log: 0 .*6[^\n]*$/,
  );
  expect((await ask({ show: 'count', contains: 'econnreset' })).text).toMatch(/: 2 .*6/);
  const wrong = await ask({ contains: 7 });
  expect(wrong).toMatchObject({ refused: true, code: 'call.wrong' });
  expect(wrong.text).toMatch(/contains.*\b8\b/);
  // No pattern: what looks like one is a text like any other.
  expect((await ask({ contains: ['(a+)+$'] })).text).toMatch(/: 0 .*6/);
});

it('lines are grouped by what they say, by level and by time', async () => {
  const { ask } = await logs();
  expect((await ask({ show: 'group', limit: 1 })).text).toMatch(
    /^2 × ERROR request # failed after #: ECONNRESET .*4\)$/m,
  );
  expect((await ask({ show: 'group', group_by: 'level' })).text).toMatch(/^2 × error .*4\)$/m);
  expect((await ask({ show: 'group', group_by: 'hour' })).text).toMatch(
    /^3 × 2026-11-15 10 .*3\)\n2 × 2026-11-15 11 .*5\)$/m,
  );
});

it('without a path the logs of the project are listed, the last written first', async () => {
  const { caller } = await logs({
    'a.log': 'a\n',
    'deep/er/logs/b.txt': 'b\n',
    'src/c.ts': 'c\n',
    'node_modules/x/d.log': '',
  });
  const { text } = await caller.call('query_logs');
  expect(text).toContain('a.log (2 ');
  expect(text).toContain('deep/er/logs/b.txt');
  expect(text).not.toMatch(/c\.ts|node_modules/);
});

it.each([
  ['/etc/passwd', 'log.outside'],
  ['../other/logs/x.log', 'log.missing'],
  ['logs/link.log', 'log.outside'],
  ['logs/folder-link/passwd', 'log.outside'],
  ['logs', 'log.other-name'],
  ['logs/', 'log.other-name'],
  ['', 'log.outside'],
  ['.env', 'log.other-name'],
  ['logs/.env', 'log.other-name'],
  ['src/secret.ts', 'log.other-name'],
  ['logs/pipe.log', 'log.no-file'],
  ['logs/none.log', 'log.missing'],
  ['logs/old.log.gz', 'log.packed'],
  ['logs/binary.log', 'log.no-text'],
  [`logs/${'x'.repeat(3000)}.log`, 'log.unreadable'],
  ['logs/\0.log', expect.any(String)],
])('%j is refused: %s [MCP-3]', async (path, code) => {
  const { folder, ask } = await logs({
    'logs/app.log': 'a\n',
    '.env': 'SECRET=1\n',
    'logs/.env': 'SECRET=1\n',
    'src/secret.ts': 'x\n',
    'logs/old.log.gz': Buffer.from([0x1f, 0x8b]),
    'logs/binary.log': Buffer.from([1, 0, 2]),
  });
  symlinkSync('/etc/passwd', join(folder, 'logs/link.log'));
  symlinkSync('/etc', join(folder, 'logs/folder-link'));
  execFileSync('mkfifo', [join(folder, 'logs/pipe.log')]);
  expect(await ask({ path })).toMatchObject({ refused: true, code });
});

it('a link to a log of the project is followed', async () => {
  const { folder, ask } = await logs();
  symlinkSync('app.log', join(folder, 'logs/current.log'));
  expect((await ask({ path: 'logs/current.log', show: 'count' })).text).toMatch(/^logs\/app\.log: 6 .*6/);
});

it('an answer stays small, however many and however long the lines are', async () => {
  const { ask } = await logs({
    'logs/app.log': `${'x'.repeat(1_000_000)}\n`.repeat(3) + 'y\n'.repeat(100_000),
  });
  const all = await ask({ limit: 200, show: 'head' });
  expect(all.text).toContain('200');
  expect(all.text.length).toBeLessThan(25_000);
  expect((await ask({ show: 'count' })).text).toMatch(/: 100003 .*100003/);
});

it('of a log that is too large only the end is looked at, in whole lines', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'big.log'), 'first line\nsecond line\nthird line\nlast');
  const opened = openLog(folder, 'big.log');
  if (!opened.ok) throw new Error(opened.why);
  const seen: string[] = [];
  const read = await readLines(opened.log, (line, number) => seen.push(`${number} ${line}`), { most: 20 });
  expect(seen).toEqual(['1 third line', '2 last']);
  expect(read).toEqual({ lines: 2, from: 18, cut: 0, piece: false });
});

it('a log with a hole in it is no text', async () => {
  const { folder, ask } = await logs({ 'logs/app.log': 'begins\n' });
  truncateSync(join(folder, 'logs/app.log'), 100_000_000);
  expect(await ask({ show: 'count' })).toMatchObject({ refused: true, code: 'log.no-text' });
});

it('of a line without an end only the beginning is held [MCP-3]', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'one.log'), `${'x'.repeat(3_000_000)}\n${'y'.repeat(300_000)}\nz`);
  const opened = openLog(folder, 'one.log');
  if (!opened.ok) throw new Error(opened.why);
  const lengths: number[] = [];
  await readLines(opened.log, (line) => lengths.push(line.length));
  expect(lengths).toEqual([16_384, 16_384, 1]);
});

it('a log of one line without an end is told of as that, and what was not looked at is said [MCP-3]', async () => {
  const { ask } = await logs({ 'logs/app.log': Buffer.alloc(3_000_000, 'ERROR x ') });
  expect((await ask({ show: 'count' })).text).toMatch(/^logs\/app\.log: 1 .*1 .*; .*\b16384\b/);
  expect((await ask({ show: 'count', contains: ['nowhere'] })).text).toMatch(
    /^logs\/app\.log: 0 .*1 .*; .*\b16384\b/,
  );
  expect((await ask({})).text).toMatch(/:\n1: ERROR x [^\n]{0,400}… \[3000000 .*\]$/);
});

it('where what is looked at lies within one line, it is handed over as the piece that it is [MCP-3]', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'big.log'), 'first line and no other');
  const opened = openLog(folder, 'big.log');
  if (!opened.ok) throw new Error(opened.why);
  const seen: string[] = [];
  const read = await readLines(opened.log, (line, number) => seen.push(`${number} ${line}`), { most: 8 });
  expect(seen).toEqual(['1 no other']);
  expect(read).toEqual({ lines: 1, from: 15, cut: 0, piece: true });
});

it.runIf(THOROUGH)('of a line that is larger than what is looked at, that is said [MCP-3]', async () => {
  const { folder, ask } = await logs({ 'logs/app.log': 'x'.repeat(10_000) });
  // A hole takes no disk; the beginning is text.
  truncateSync(join(folder, 'logs/app.log'), MAX_SCANNED_BYTES + 1_000_000);
  const { text } = await ask({ show: 'count' });
  expect(text.split('; ')).toEqual([
    expect.stringMatching(/^logs\/app\.log: 1 .*1/),
    expect.stringContaining(String(MAX_SCANNED_BYTES)),
    expect.stringContaining('16384'),
  ]);
});

it('packed logs are not listed, since they are not read', async () => {
  const { caller } = await logs({ 'logs/app.log': 'a\n', 'logs/app.log.1.gz': 'x', 'logs/old.zst': 'x' });
  const { text } = await caller.call('query_logs');
  expect(text).toMatch(/^logs\/app\.log \(2 [^\n]*\)$/);
});

it('windows line ends, a missing last line end and letters of all kinds are read', async () => {
  const { ask } = await logs({ 'logs/app.log': Buffer.from('grün\r\nrot 🚨\r\nblau') });
  expect((await ask({})).text).toMatch(/^logs\/app\.log: 3 .*3.*:\n1: grün\n2: rot 🚨\n3: blau$/u);
  expect((await ask({ contains: ['GRÜN'] })).text).toMatch(/: 1 .*3/);
});

it('levels are found at the beginning of a line, and as whole words', () => {
  expect(levelOf('[ERROR] no')).toBe('error');
  expect(levelOf('{"level":"warning","msg":"error"}')).toBe('warn');
  expect(levelOf('terrors and information')).toBeUndefined();
  expect(levelOf(`${' x'.repeat(200)} error`)).toBeUndefined();
  expect(lineFilter({ contains: [], without: [], ignoreCase: true, level: 'debug' })('no level')).toBe(false);
});

it('as many kinds of lines as there are lines take no more room than some thousands', () => {
  const groups = new LineGroups('message');
  for (let count = 0; count < 50_000; count++)
    groups.add(`word${'abcdefghij'.at(count % 10)} ${letters(count)}`, count);
  expect(groups.size).toBeLessThan(5010);
  expect(groups.sorted('message')[0]?.key).toBe('(others)');
});

it('lines that are made to keep a matcher busy are grouped as fast as others', () => {
  const groups = new LineGroups('message');
  const hostile = [
    '1'.repeat(640),
    `${'-#'.repeat(320)}`,
    `${'a1'.repeat(300)}g`,
    `${'0x'.repeat(320)}`,
    '#'.repeat(640),
  ];
  for (let count = 0; count < 20_000; count++) groups.add(hostile[count % hostile.length] ?? '', count);
  expect(groups.size).toBeLessThan(10);
});

it('what is a log is told by its name', () => {
  for (const name of [
    'a.log',
    'a.log.1',
    'x/a.LOG',
    'out/a.out',
    'a.jsonl',
    'logs/anything',
    'log/x.txt',
    'a.log-20261115',
  ])
    expect([name, isLogName(name)]).toEqual([name, true]);
  for (const name of [
    'a.ts',
    'catalog',
    'a.logic',
    'logs.ts',
    'logs/.netrc',
    '.npmrc',
    'id_rsa',
    'a.log/b.ts',
  ])
    expect([name, isLogName(name)]).toEqual([name, false]);
});

/** Without a digit, unlike any other. */
function letters(count: number): string {
  return [...String(count)].map((digit) => 'ghijklmnop'[Number(digit)]).join('');
}
