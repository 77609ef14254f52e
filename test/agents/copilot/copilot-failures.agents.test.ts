import { describe, expect, it } from 'vitest';
import { ANSWER, agentRequest } from '../../orchestration/drivers/agent-request.ts';
import type { ChatReply } from '../../support/chat-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { run } from './copilot-acts.ts';
import { COPILOT_PROGRAM, copilotWith } from './copilot-machine.ts';

const answer: ChatReply = [{ text: JSON.stringify(ANSWER) }];

describe.skipIf(COPILOT_PROGRAM === undefined)('a driven run of Copilot CLI', () => {
  it('continues its session', async () => {
    const { driver, env, requests } = await copilotWith([[run('true')], answer, answer]);
    const folder = temporaryFolder();
    const first = await driver.run(await agentRequest({ env, folder }));
    const second = await driver.run(
      await agentRequest({ env, folder, session: first.session, prompt: 'Again' }),
    );
    expect(first.end).toEqual({ type: 'answered', answer: ANSWER });
    expect(second).toMatchObject({ end: { type: 'answered', answer: ANSWER }, session: first.session });
    expect(requests[2]?.body).toContain('Do what the task says.');
  });

  it('starts a new session if the earlier one is gone', async () => {
    const { driver, env } = await copilotWith([answer]);
    const gone = '11111111-2222-4333-8444-555555555555';
    const { end, session } = await driver.run(await agentRequest({ env, session: gone }));
    expect(end).toEqual({ type: 'answered', answer: ANSWER });
    expect(session).not.toBe(gone);
  });

  it.each<[number, string, string]>([
    [401, 'invalid key', 'locked_out'],
    [429, 'too many', 'rate_limited'],
    [400, 'invalid request', 'crashed'],
  ])('after HTTP status %i (%s) ends as %s', async (status, message, type) => {
    const { driver, env } = await copilotWith([{ status, message }]);
    const { end } = await driver.run(await agentRequest({ env }));
    expect(end).toMatchObject({ type, why: expect.stringMatching(/\w/) });
  });
});
