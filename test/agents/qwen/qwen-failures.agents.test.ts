import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliDriver } from '../../../src/orchestration/drivers/cli/cli-driver.ts';
import { qwenAgent } from '../../../src/orchestration/drivers/cli/qwen.ts';
import { ANSWER, agentRequest } from '../../orchestration/drivers/agent-request.ts';
import { type ChatReply, startChatServer } from '../../support/chat-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { drivenEnvironment } from '../machine/driver-bench.ts';
import { run } from './qwen-acts.ts';
import { QWEN_PROGRAM, qwenWith } from './qwen-machine.ts';

const answer: ChatReply = [{ text: JSON.stringify(ANSWER) }];

describe.skipIf(QWEN_PROGRAM === undefined)('a driven run of Qwen Code', () => {
  it('continues its session', async () => {
    const { driver, env, requests } = await qwenWith([[run('true')], answer, answer]);
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
    const { driver, env } = await qwenWith([answer]);
    const gone = '11111111-2222-4333-8444-555555555555';
    const { end, session } = await driver.run(await agentRequest({ env, session: gone }));
    expect(end).toEqual({ type: 'answered', answer: ANSWER });
    expect(session).not.toBe(gone);
  });

  it('uses the account in the person’s settings', async () => {
    const { url, requests } = await startChatServer([answer]);
    const env = drivenEnvironment(String(QWEN_PROGRAM), {});
    const folder = join(String(env.HOME), '.qwen');
    mkdirSync(folder);
    const auth = { selectedType: 'openai', apiKey: 'none', baseUrl: url };
    const account = { security: { auth }, model: { name: 'scripted' } };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(account));
    const { end } = await cliDriver(qwenAgent()).run(await agentRequest({ env }));
    expect(end).toEqual({ type: 'answered', answer: ANSWER });
    expect(requests).toHaveLength(1);
  });

  it.each<[number, string, string]>([
    [401, 'invalid key', 'locked_out'],
    [429, 'too many', 'rate_limited'],
    [400, 'invalid request', 'crashed'],
  ])('after HTTP status %i (%s) ends as %s', async (status, message, type) => {
    const { driver, env } = await qwenWith([{ status, message }]);
    const { end } = await driver.run(await agentRequest({ env }));
    expect(end).toMatchObject({ type, why: expect.stringMatching(/\w/) });
  });
});
