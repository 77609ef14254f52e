import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANSWER } from '../agent-request.ts';
import { answer, drive, edit, run } from './scripted-acp.ts';

const FORBIDDEN = '.claude/settings.json';

describe('an agent over the Agent Client Protocol', () => {
  it('cannot do what the guards refuse, and can do everything else', async () => {
    const { result, project, exists, refused } = await drive([
      [edit(FORBIDDEN), run(`echo x > ${FORBIDDEN}`), edit('new.txt'), run('echo run > run.txt'), answer],
    ]);
    expect(result).toEqual({
      end: { type: 'answered', answer: ANSWER },
      session: 'session-1',
      usage: { inputTokens: 100, outputTokens: 10, costUsd: null },
    });
    expect(['new.txt', 'run.txt', FORBIDDEN].map(exists)).toEqual([true, true, false]);
    expect(refused).toBe(2);
    expect(project.entries('action_judged')).toMatchObject([
      { agent: 'acp', tool: 'edit', decision: 'deny', findings: [{ guard: 'protected-set' }] },
      { agent: 'acp', tool: 'execute', decision: 'deny', findings: [{ guard: 'protected-set' }] },
    ]);
  });

  it('is refused a call that does not show what it would do, other tools, and edits of a Coach', async () => {
    const { result, exists } = await drive([
      [
        { tool: { kind: 'execute' }, write: 'a.txt' },
        { tool: { kind: 'edit', title: 'Edit' }, write: 'b.txt' },
        { tool: { kind: 'fetch', title: 'Fetch', rawInput: { url: 'http://x' } }, write: 'c.txt' },
        answer,
      ],
    ]);
    expect(result.end.type).toBe('answered');
    expect(['a.txt', 'b.txt', 'c.txt'].some(exists)).toBe(false);
    const coach = await drive([[edit('a.txt'), answer]], { role: 'coach', access: 'read' });
    expect(coach.exists('a.txt')).toBe(false);
  });

  it('has a forbidden change that it made without asking reverted', async () => {
    const { project, restored } = await drive([[{ ...edit('.mcp.json'), asks: false }, answer]]);
    expect(existsSync(join(project.folder, '.mcp.json'))).toBe(false);
    expect(restored).toEqual(['.mcp.json']);
  });
});
