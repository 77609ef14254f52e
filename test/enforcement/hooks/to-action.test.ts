import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toAction } from '../../../src/enforcement/hooks/to-action.ts';
import { pathContext } from '../../../src/guards/path-context.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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

  it('is judged by its path alone if the result grows too large', () => {
    expect(after('a', 'aa', 60)).toBeUndefined();
  });
});
