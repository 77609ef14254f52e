import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANSWER, agentRequest } from '../../orchestration/drivers/agent-request.ts';
import type { ChatReply } from '../../support/chat-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTokenService } from '../../support/token-service.ts';
import { run } from './opencode-acts.ts';
import { OPENCODE, opencodeWith } from './opencode-machine.ts';

const answer: ChatReply = [{ text: JSON.stringify(ANSWER) }];

describe.skipIf(OPENCODE === undefined)('a driven run of OpenCode', () => {
  it('reports tokens and cost, and continues its session', async () => {
    const { driver, env, requests } = await opencodeWith([[run('true')], answer, answer]);
    const folder = temporaryFolder();
    const first = await driver.run(await agentRequest({ env, folder }));
    const second = await driver.run(
      await agentRequest({ env, folder, session: first.session, prompt: 'Again' }),
    );
    // Per million: 200 × 1 + 1000 × 0.1 + 34 × 2.
    expect(first.usage).toEqual({
      inputTokens: 2400,
      outputTokens: 68,
      costUsd: expect.closeTo((2 * 368) / 1e6, 9),
    });
    expect(second).toMatchObject({
      end: { type: 'answered', answer: ANSWER },
      session: first.session,
      usage: { inputTokens: 1200, outputTokens: 34 },
    });
    expect(requests[2]?.body).toContain('Do what the task says.');
  });

  it('starts a new session if the earlier one is gone', async () => {
    const { driver, env } = await opencodeWith([answer]);
    const { end, session } = await driver.run(await agentRequest({ env, session: 'ses_gone' }));
    expect(end).toEqual({ type: 'answered', answer: ANSWER });
    expect(session).not.toBe('ses_gone');
  });

  it('asks once more for an answer in the right format', async () => {
    const wrong: ChatReply = [{ text: '{"decision":"perhaps"}' }];
    const { driver, env, requests } = await opencodeWith([wrong, answer]);
    const { end } = await driver.run(await agentRequest({ env }));
    expect(end).toEqual({ type: 'answered', answer: ANSWER });
    expect(requests).toHaveLength(2);
  });

  it.each<[number, string, string]>([
    [401, 'invalid key', 'locked_out'],
    [403, 'forbidden', 'locked_out'],
    [429, 'too many', 'rate_limited'],
    [503, 'overloaded', 'rate_limited'],
    [400, 'invalid request', 'crashed'],
  ])('after HTTP status %i (%s) ends as %s', async (status, message, type) => {
    const { driver, env } = await opencodeWith([{ status, message }]);
    const { end } = await driver.run(await agentRequest({ env }));
    expect(end).toMatchObject({ type, why: expect.stringMatching(/\w/) });
  });

  it('renews the person’s own login in place', async () => {
    const home = temporaryFolder();
    const login = join(home, '.local/share/opencode/auth.json');
    mkdirSync(join(login, '..'), { recursive: true });
    const used: string[] = [];
    const { url } = await startTokenService((body) => {
      used.push(body);
      const created_at = Math.floor(Date.now() / 1000);
      return {
        access_token: 'new',
        refresh_token: 'second',
        token_type: 'Bearer',
        expires_in: 7200,
        created_at,
      };
    });
    const gitlab = { type: 'oauth', refresh: 'first', access: 'old', expires: 1, enterpriseUrl: url };
    writeFileSync(login, JSON.stringify({ gitlab }), { mode: 0o600 });
    const { driver, env } = await opencodeWith([answer], home);
    const { end } = await driver.run(await agentRequest({ env }));
    expect(end).toEqual({ type: 'answered', answer: ANSWER });
    expect(used).toHaveLength(1);
    expect(used[0]).toContain('first');
    expect(lstatSync(login).isFile()).toBe(true);
    expect(JSON.parse(readFileSync(login, 'utf8'))).toMatchObject({ gitlab: { refresh: 'second' } });
  });
});
