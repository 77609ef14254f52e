import { describe, expect, it } from 'vitest';
import { requestOf } from '../../../../src/orchestration/drivers/acp/acp-messages.ts';

describe('a permission request', () => {
  it.each<[object, object | undefined]>([
    [
      { kind: 'execute', rawInput: { command: ['git', 'commit', '-m', 'a b'] } },
      { kind: 'command', command: "git commit -m 'a b'", background: false },
    ],
    [
      { kind: 'execute', title: 'ls -l' },
      { kind: 'command', command: 'ls -l', background: false },
    ],
    [{ kind: 'execute', title: ' ' }, undefined],
    [
      { kind: 'edit', content: [{ type: 'diff', path: 'a.txt' }], locations: [{ path: 'b.txt' }] },
      { kind: 'change', paths: ['a.txt', 'b.txt'] },
    ],
    [
      { kind: 'delete', rawInput: { file_path: 'c.txt' } },
      { kind: 'change', paths: ['c.txt'] },
    ],
    [{ kind: 'move' }, undefined],
    [
      { kind: 'read', locations: [{ path: 'a.txt' }] },
      { kind: 'read', paths: ['a.txt'], whole: false },
    ],
    [
      { title: 'notes', rawInput: { x: 1 } },
      { kind: 'tool', name: 'notes', input: { x: 1 } },
    ],
  ])('%j is %j', (call, request) => {
    expect(requestOf({ toolCallId: 'c', rawInput: undefined, ...call })).toEqual(request);
  });
});
