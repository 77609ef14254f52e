import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acpDriver } from '../../../src/orchestration/drivers/acp/acp-driver.ts';
import { ANSWER } from '../../orchestration/drivers/agent-request.ts';
import { startChatServer } from '../../support/chat-server.ts';
import { DrivenProject } from '../../support/driven-project.ts';
import { startGeminiServer } from '../../support/gemini-server.ts';
import * as gemini from '../gemini/gemini-acts.ts';
import { GEMINI } from '../gemini/gemini-machine.ts';
import * as opencode from '../opencode/opencode-acts.ts';
import { installPluginPackage, loopProvider, OPENCODE } from '../opencode/opencode-machine.ts';

const FORBIDDEN = '.claude/settings.json';
const acts = [
  { write: FORBIDDEN, content: '{}' },
  { run: `mkdir -p .claude && echo x > ${FORBIDDEN}` },
  { write: 'new.txt', content: 'x\n' },
  { run: 'echo run > run.txt' },
  { answer: ANSWER },
];

function found(project: DrivenProject): boolean[] {
  return [FORBIDDEN, 'new.txt', 'run.txt'].map((path) => existsSync(join(project.folder, path)));
}

describe('the ACP driver with the real programs', () => {
  it.skipIf(GEMINI === undefined)('judges what Gemini CLI asks for', async () => {
    const project = new DrivenProject();
    const { url } = await startGeminiServer(acts.map((act) => [gemini.outputOf(act)]));
    const home = join(project.folder, '..', 'person');
    mkdirSync(join(home, '.gemini'), { recursive: true });
    const auth = { selectedType: 'gemini-api-key' };
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify({ security: { auth } }));
    const env = {
      ...project.personEnv(),
      PATH: `${join(String(GEMINI), '..')}:${process.env.PATH}`,
      GEMINI_CLI_HOME: home,
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_MODEL: 'gemini-2.5-flash',
    };
    const driver = acpDriver({
      command: ['gemini', '--acp'],
      env: Object.keys(env).filter((name) => /^GEMINI_|^GOOGLE_/.test(name)),
    });
    const { result, refused } = await project.drive(driver, { env, timeoutMs: 180_000 });
    expect(result.end).toEqual({ type: 'answered', answer: ANSWER });
    expect(found(project)).toEqual([false, true, true]);
    expect(refused).toBe(2);
  });

  it.skipIf(OPENCODE === undefined)('judges what OpenCode asks for', async () => {
    const project = new DrivenProject();
    installPluginPackage(join(project.personEnv().HOME ?? '', '.config/opencode'));
    // A refusal ends the turn in OpenCode.
    const allowedFirst = [...acts.slice(2, 4), ...acts.slice(0, 2)];
    const { url } = await startChatServer(({ body }) => {
      if (!body.includes('"tools"')) return [{ text: 'A title' }];
      const act = allowedFirst[opencodeSteps(body)] ?? { answer: ANSWER };
      return [opencode.outputOf(act)];
    });
    const settings = {
      model: 'loop/m',
      small_model: 'loop/m',
      provider: loopProvider(url),
      share: 'disabled',
    };
    const env = {
      ...project.personEnv(),
      PATH: `${join(String(OPENCODE), '..')}:${process.env.PATH}`,
      OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
      OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask"}',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    };
    const driver = acpDriver({
      command: ['opencode', 'acp'],
      env: Object.keys(env).filter((name) => name.startsWith('OPENCODE_')),
    });
    const { result, refused } = await project.drive(driver, { env, timeoutMs: 180_000 });
    expect(['answered', 'unanswered']).toContain(result.end.type);
    expect(found(project)).toEqual([false, true, true]);
    expect(refused).toBeGreaterThan(0);
  });
});

function opencodeSteps(body: string): number {
  return body.split('"role":"assistant"').length - 1;
}
