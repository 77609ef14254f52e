import { describe, expect, it } from 'vitest';
import { ANSWER } from '../agent-request.ts';
import { answer, drive } from './scripted-acp.ts';

describe('an agent over the Agent Client Protocol', () => {
  it('continues its session, or begins a new one', async () => {
    expect((await drive([[answer]], { session: 'earlier' })).result.session).toBe('earlier');
    expect((await drive([[answer]], { session: 'gone' })).result.session).toBe('session-1');
  });

  it('is asked once more for an answer in the right format', async () => {
    const wrong = { say: '{"decision":"perhaps"}' };
    expect((await drive([[wrong], [answer]])).result.end).toEqual({ type: 'answered', answer: ANSWER });
    expect((await drive([[wrong], [wrong]])).result.end).toMatchObject({ type: 'unanswered' });
  });

  it.each<[object, string]>([
    [{ fail: { code: -32000, message: 'Authentication required' } }, 'locked_out'],
    [{ fail: { code: -32603, message: 'HTTP 429: too many requests' } }, 'rate_limited'],
    [{ fail: { code: -32603, message: 'broken' } }, 'crashed'],
    [{ exit: 1 }, 'crashed'],
    [{ garbage: '{"jsonrpc":\n' }, 'crashed'],
    [{ stop: 'max_turn_requests' }, 'unanswered'],
  ])('that does %j ends as %s', async (step, type) => {
    expect((await drive([[step, { hang: 'garbage' in step }]])).result.end).toMatchObject({
      type,
      why: expect.stringMatching(/\w/),
    });
  });

  it('is ended when its time is over, and when it is cancelled', async () => {
    expect((await drive([[{ hang: true }]], { timeoutMs: 1500 })).result.end.type).toBe('timed_out');
    const controller = new AbortController();
    const onActivity = () => controller.abort();
    const steps = [{ tool: { kind: 'think', title: 'Thinking' } }, { hang: true }];
    const { result } = await drive([steps], { signal: controller.signal, onActivity });
    expect(result.end).toEqual({ type: 'cancelled' });
  });
});
