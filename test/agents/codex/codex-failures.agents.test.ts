import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANSWER, agentRequest } from '../../orchestration/drivers/agent-request.ts';
import type { ModelReply } from '../../support/responses-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTokenService } from '../../support/token-service.ts';
import { codexWith } from './codex-bench.ts';
import { CODEX, shell } from './codex-machine.ts';

const answer: ModelReply = [{ text: JSON.stringify(ANSWER) }];

describe.skipIf(CODEX === undefined)('a driven run of Codex', () => {
  it('reports the tokens of each run, though Codex reports those of the whole session', async () => {
    const price = { input: 10, cached_input: 1, output: 100 };
    const { driver, env, requests } = await codexWith([[shell('true')], answer, answer], { price });
    const folder = temporaryFolder();
    const first = await driver.run(await agentRequest({ env, folder }));
    const second = await driver.run(
      await agentRequest({ env, folder, session: first.session, prompt: 'Again' }),
    );
    expect(first.usage).toEqual({ inputTokens: 2400, outputTokens: 68, costUsd: expect.closeTo(0.0128) });
    expect(second).toMatchObject({
      end: { type: 'answered', answer: ANSWER },
      session: first.session,
      usage: { inputTokens: 1200, outputTokens: 34 },
    });
    // The session continues.
    expect(requests[2]?.body).toContain('Do what the task says.');
  });

  it('starts a new session if the earlier one is gone', async () => {
    const { driver, env } = await codexWith([answer]);
    const session = '01a1e4c8-0000-7000-8000-000000000000';
    const request = await agentRequest({ env, session });
    const { end, session: found } = await driver.run(request);
    expect(end).toEqual({ type: 'answered', answer: ANSWER });
    expect(found).not.toBe(session);
  });

  it('asks once more for an answer in the right format', async () => {
    const wrong: ModelReply = [{ text: '{"decision":"perhaps"}' }];
    const { driver, env, requests } = await codexWith([wrong, answer]);
    const { end } = await driver.run(await agentRequest({ env }));
    expect(end).toEqual({ type: 'answered', answer: ANSWER });
    expect(requests[1]?.body).toContain('decision');
    const again = await codexWith([wrong]);
    const request = await agentRequest({ env: again.env });
    expect((await again.driver.run(request)).end).toEqual({
      type: 'unanswered',
      why: expect.stringContaining('decision'),
    });
    expect(again.requests).toHaveLength(2);
  });

  it.each<[number, string, string]>([
    [401, 'invalid key', 'locked_out'],
    [403, 'forbidden', 'locked_out'],
    [429, 'too many', 'rate_limited'],
    [503, 'overloaded', 'rate_limited'],
    [400, 'invalid request', 'crashed'],
  ])('after HTTP status %i (%s) ends as %s', async (status, message, type) => {
    const { driver, env } = await codexWith([{ status, message }]);
    const { end } = await driver.run(await agentRequest({ env }));
    expect(end).toMatchObject({ type, why: expect.stringMatching(/\w/) });
  });

  it('renews the person’s own login in place', async () => {
    const home = temporaryFolder();
    const login = join(home, '.codex', 'auth.json');
    mkdirSync(join(home, '.codex'));
    const old = jwt({ exp: 1 });
    const renewed = jwt({ exp: 4_000_000_000 });
    const tokens = { id_token: old, access_token: old, refresh_token: 'first', account_id: 'a' };
    writeFileSync(
      login,
      JSON.stringify({
        auth_mode: 'chatgpt',
        OPENAI_API_KEY: null,
        tokens,
        last_refresh: '2020-01-01T00:00:00Z',
      }),
    );
    const used: string[] = [];
    const { url } = await startTokenService((body) => {
      used.push(body);
      return { id_token: renewed, access_token: renewed, refresh_token: 'second' };
    });
    const { driver, env } = await codexWith([answer], { login: true });
    const request = await agentRequest({
      env: { ...env, HOME: home, CODEX_REFRESH_TOKEN_URL_OVERRIDE: `${url}/oauth/token` },
    });
    expect((await driver.run(request)).end).toEqual({ type: 'answered', answer: ANSWER });
    expect(used).toHaveLength(1);
    expect(used[0]).toContain('first');
    expect(JSON.parse(readFileSync(login, 'utf8'))).toMatchObject({ tokens: { refresh_token: 'second' } });
  });
});

function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const auth = { 'https://api.openai.com/auth': { chatgpt_account_id: 'a', chatgpt_plan_type: 'plus' } };
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ email: 'a@b.c', ...auth, ...claims })}.${part({})}`;
}
