import { join } from 'node:path';
import type { AgentDriver } from '../../../src/orchestration/drivers/agent-driver.ts';
import { cliDriver } from '../../../src/orchestration/drivers/cli/cli-driver.ts';
import { type CodexOptions, codexAgent } from '../../../src/orchestration/drivers/cli/codex.ts';
import type { DriverBench } from '../../orchestration/drivers/driver-benches.ts';
import {
  type ModelReply,
  type ResponsesScript,
  startResponsesServer,
} from '../../support/responses-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { agentProgram } from '../agent-programs.ts';
import { patch, shell } from './codex-machine.ts';

const CODEX = agentProgram('codex');

/** Makes Codex talk to a scripted model. */
export function loopSettings(url: string, { login = false } = {}): string[] {
  return [
    'model_provider="loop"',
    'model_providers.loop.name="Loop"',
    `model_providers.loop.base_url="${url}"`,
    login ? 'model_providers.loop.requires_openai_auth=true' : 'model_providers.loop.env_key="LOOP_KEY"',
    'chatgpt_base_url="http://127.0.0.1:9/"',
    'model_providers.loop.wire_api="responses"',
    'model_providers.loop.request_max_retries=0',
    'model_providers.loop.stream_max_retries=0',
  ];
}

export async function codexWith(
  script: ResponsesScript,
  { login = false, ...more }: CodexOptions & { login?: boolean } = {},
): Promise<{ driver: AgentDriver; env: NodeJS.ProcessEnv; requests: { body: string }[] }> {
  const { url, requests } = await startResponsesServer(script);
  const options = { model: 'gpt-5.5', env: ['LOOP_KEY'], settings: loopSettings(url, { login }), ...more };
  return { driver: cliDriver(codexAgent(options), options), env: codexEnvironment(), requests };
}

export function codexEnvironment(home = temporaryFolder()): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: home,
    GUARDKIT_HOME: join(home, '.guardkit'),
    PATH: `${join(String(CODEX), '..')}:${process.env.PATH}`,
    LOOP_KEY: 'none',
  };
}

/** The contract's plays, with the real Codex. */
export const CODEX_BENCH: DriverBench = {
  name: 'codex',
  beginsWithinMs: 5000,
  ...(CODEX === undefined ? { unavailable: 'Codex cannot be installed here' } : {}),
  async stage({ write = {}, run = [], end }) {
    const replies: ModelReply[] = [
      ...Object.entries(write).map(([path, content]) => [patch(...writing(path, content))]),
      ...run.map((command) => [shell(command)]),
      ...(end === 'crash' ? [[shell('kill -9 $PPID; sleep 5')]] : []),
      [{ text: typeof end === 'object' ? `Done: ${JSON.stringify(end.answer)}` : 'I am done.' }],
    ];
    return codexWith(replies);
  },
};

function writing(path: string, content: string): string[] {
  return [
    `*** Add File: ${path}`,
    ...content
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `+${line}`),
  ];
}
