import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliDriver } from '../../../src/orchestration/drivers/cli/cli-driver.ts';
import { geminiAgent } from '../../../src/orchestration/drivers/cli/gemini.ts';
import { ANSWER, agentRequest } from '../../orchestration/drivers/agent-request.ts';
import { HAS_OPENSSL, type ProxiedRequest, startHttpsProxy } from '../../support/https-proxy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { GEMINI } from './gemini-machine.ts';

const LOGIN_SERVICE = 'oauth2.googleapis.com';
const MODEL_SERVICE = 'cloudcode-pa.googleapis.com';

describe.skipIf(GEMINI === undefined || !HAS_OPENSSL)(
  'a driven run of Gemini CLI with a Google account',
  () => {
    it('renews the person’s own login in place', async () => {
      const home = temporaryFolder();
      const login = join(home, '.gemini/oauth_creds.json');
      mkdirSync(join(home, '.gemini'));
      const old = { access_token: 'old', refresh_token: 'first', token_type: 'Bearer', expiry_date: 1 };
      writeFileSync(login, JSON.stringify(old), { mode: 0o600 });
      const used: string[] = [];
      // The sandbox hides other folders.
      const folder = temporaryFolder();
      const { env } = await startHttpsProxy(folder, [LOGIN_SERVICE, MODEL_SERVICE], (request) => {
        if (request.path === '/token') used.push(request.body);
        return replyTo(request);
      });
      const driver = cliDriver(geminiAgent({ model: 'gemini-2.5-flash', env: Object.keys(env) }));
      const { end } = await driver.run(
        await agentRequest({
          folder,
          env: {
            ...process.env,
            ...env,
            HOME: home,
            GUARDKIT_HOME: join(home, '.guardkit'),
            PATH: `${join(String(GEMINI), '..')}:${process.env.PATH}`,
          },
        }),
      );
      expect(end).toEqual({ type: 'answered', answer: ANSWER });
      expect(used).toHaveLength(1);
      expect(used[0]).toContain('refresh_token=first');
      expect(lstatSync(login).isFile()).toBe(true);
      expect(JSON.parse(readFileSync(login, 'utf8'))).toMatchObject({
        access_token: 'new',
        refresh_token: 'first',
      });
    });
  },
);

/** The services of a Google account. */
function replyTo({ host, path }: ProxiedRequest) {
  const json = (value: object) => ({ type: 'application/json', text: JSON.stringify(value) });
  if (path === '/token')
    return json({
      access_token: 'new',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    });
  if (host === LOGIN_SERVICE) return json({ expires_in: 3600, scope: '', aud: 'x', sub: '1' });
  if (path.includes(':loadCodeAssist'))
    return json({ currentTier: { id: 'standard-tier', name: 'x' }, cloudaicompanionProject: 'project' });
  if (!path.includes(':streamGenerateContent')) return json({});
  const parts = [{ text: JSON.stringify(ANSWER) }];
  const response = {
    candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts } }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 },
  };
  return { type: 'text/event-stream', text: `data: ${JSON.stringify({ response })}\n\n` };
}
