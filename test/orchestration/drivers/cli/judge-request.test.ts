import { describe, expect, it } from 'vitest';
import type { ToolRequest } from '../../../../src/enforcement/hooks/hook-event.ts';
import type { AgentRequest } from '../../../../src/orchestration/drivers/agent-driver.ts';
import { codexAgent } from '../../../../src/orchestration/drivers/cli/codex.ts';
import { judgeRequest } from '../../../../src/orchestration/drivers/cli/judge-request.ts';

const folder = process.cwd();

function judge(
  request: ToolRequest,
  given: Partial<AgentRequest> = {},
  tool = 'tool',
  confinesItself = true,
) {
  const source = {
    agent: 'codex',
    session: 's',
    cwd: folder,
    actorType: undefined,
    actorId: undefined,
    canAsk: false,
  };
  const asked = { role: 'player', access: 'write', sandbox: undefined, folder, ...given } as const;
  return judgeRequest({ type: 'acting', source, action: 'a', tool, request }, asked, {
    ...codexAgent(),
    confinesItself,
  });
}

const command: ToolRequest = { kind: 'command', command: 'ls', background: false };
const write: ToolRequest = { kind: 'write', path: 'a.txt', content: '' };
const READS = { role: 'coach', access: 'read' } as const;

describe('the permissions of a role', () => {
  it('let a Player read, run and write in its folder', () => {
    expect(
      [command, write, { kind: 'read' as const, paths: ['/etc/hosts'], whole: true }].map((one) =>
        judge(one),
      ),
    ).toEqual([undefined, undefined, undefined]);
  });

  it.each<[string, ToolRequest, Partial<AgentRequest>]>([
    ['a file outside', { ...write, path: '/etc/hosts' }, {}],
    ['a file moved out of the folder', moved('../b.txt'), {}],
    ['a Coach’s edit', write, READS],
    ['another agent', { kind: 'spawn', type: 'default' }, {}],
    ['an unknown tool', { kind: 'tool', name: 'tool', input: {} }, {}],
  ])('refuse %s', (_, request, given) => {
    expect(judge(request, given)).toMatch(/\w/);
  });

  it('let a Coach run commands only where a sandbox limits them', () => {
    expect(judge(command, READS)).toBeUndefined();
    expect(judge(command, READS, 'tool', false)).toMatch(/read-only/);
  });

  it('let a Player use GuardKit’s own tools, and a Coach not', () => {
    const request: ToolRequest = { kind: 'tool', name: 'mcp__guardkit__search_memory', input: {} };
    expect(judge(request, {}, 'mcp__guardkit__search_memory')).toBeUndefined();
    expect(judge(request, READS, 'mcp__guardkit__search_memory')).toMatch(/\w/);
    expect(judge(request, {}, 'mcp__guardkit__unknown')).toMatch(/\w/);
  });
});

function moved(to: string): ToolRequest {
  return { kind: 'patch', files: [{ type: 'update', path: 'a.txt', movedTo: to, chunks: [] }] };
}
