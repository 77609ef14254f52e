import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { toAction } from '../../../src/enforcement/hooks/to-action.ts';
import { pathContext } from '../../../src/guards/path-context.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { further } from '../../support/thorough.ts';

const SOURCE = {
  agent: 'claude',
  session: 's',
  cwd: '/',
  actorType: undefined,
  actorId: undefined,
  canAsk: false,
};

/** The resulting file after a number of replacements. */
function after(text: string, next: string, count: number): string | undefined {
  const root = temporaryFolder();
  const path = join(root, 'big.txt');
  writeFileSync(path, text);
  const context = pathContext({ cwd: root, root, home: root, dataFolder: join(root, 'data') });
  const replacements = Array.from({ length: count }, () => ({ old: 'a', new: next, all: true }));
  const action = toAction('MultiEdit', { kind: 'replace', path, replacements }, SOURCE, context);
  return action.kind === 'edit' ? action.files[0]?.after : 'no edit';
}

describe('an edit in many steps', () => {
  const LARGE = 'b'.repeat(4 * 1024 * 1024);

  it('is judged by its result', () => {
    expect(after(`a${LARGE}`, 'aa', 2)).toBe(`aaaa${LARGE}`);
  });

  it('is judged by its path alone if the search would take long', () => {
    expect(after(`a${LARGE}`, 'a', 1000)).toBeUndefined();
  });

  further('is judged by its path alone if the result grows too large', () => {
    expect(after('a', 'aa', 60)).toBeUndefined();
  });
});

describe('the files that a tool’s input names', () => {
  const root = temporaryFolder(afterAll);
  const context = pathContext({ cwd: root, root, home: root, dataFolder: join(root, 'data') });
  const PROTECTED = '.guardkit/config.yaml';

  function tool(input: unknown) {
    const action = toAction('mcp__x__put', { kind: 'tool', name: 'mcp__x__put', input }, SOURCE, context);
    if (action.kind !== 'tool') throw new Error('not a tool');
    return action;
  }

  const isFound = (input: unknown) =>
    tool(input).mentions.some(({ protectedAs }) => protectedAs !== undefined);

  it.each([
    ['in lists', [[{ a: [PROTECTED] }]]],
    ['in JSON in a text', { args: JSON.stringify({ path: PROTECTED }) }],
    ['in JSON in JSON', { args: JSON.stringify({ more: JSON.stringify([PROTECTED]) }) }],
    ['without a folder', { path: '.mcp.json' }],
    ['with a long detour', { path: `${'./'.repeat(10_000)}${PROTECTED}` }],
    ['after several lines', { path: `x\n/../${PROTECTED}` }],
    ['after many others', { path: PROTECTED, junk: Array.from({ length: 1000 }, (_, at) => `/a/${at}`) }],
  ])('are found %s', (_, input) => {
    expect(isFound(input)).toBe(true);
  });

  it('are not looked for in ordinary text', () => {
    expect(tool({ text: 'Please read this.', title: 'A title', count: 3 }).mentions).toEqual([]);
    expect(isFound({ text: `Look at\n${PROTECTED}\n` })).toBe(false);
  });

  it.each([
    ['too many paths', Array.from({ length: 3000 }, (_, at) => `/a/${at}`)],
    ['too many parts', Array.from({ length: 20_000 }, () => 1)],
  ])('make a tool with %s one that cannot be judged', (_, input) => {
    expect(tool({ path: PROTECTED, input })).toMatchObject({ unseen: expect.any(String) });
  });
});

describe('an edit by a tool that searches for a missing file', () => {
  const root = temporaryFolder(afterAll);
  writeFileSync(join(root, 'here.txt'), 'a');
  const context = pathContext({ cwd: root, root, home: root, dataFolder: join(root, 'data') });
  const unseen = (path: string, old: string) => {
    const replacements = [{ old, new: 'b', all: false }];
    const action = toAction(
      'replace',
      { kind: 'replace', path, replacements, searches: true },
      SOURCE,
      context,
    );
    return action.kind === 'edit' ? action.unseen : undefined;
  };

  it('cannot be judged, unless the file is there, is created or has an absolute path', () => {
    expect(unseen('config.yaml', 'a')).toEqual(expect.any(String));
    expect([unseen('here.txt', 'a'), unseen('new.txt', ''), unseen(join(root, 'x'), 'a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
