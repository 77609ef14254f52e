import { cliDriver } from '../../../src/orchestration/drivers/cli/cli-driver.ts';
import { qwenAgent } from '../../../src/orchestration/drivers/cli/qwen.ts';
import type { DriverBench } from '../../orchestration/drivers/driver-benches.ts';
import { type ChatReply, type ChatScript, startChatServer } from '../../support/chat-server.ts';
import { agentProgram } from '../agent-programs.ts';
import { AgentMachine } from '../machine/agent-machine.ts';
import { drivenEnvironment, driverBench } from '../machine/driver-bench.ts';
import { outputOf } from './qwen-acts.ts';

export const QWEN_PROGRAM = agentProgram('qwen');

/** The person's own settings: no network but the model's. */
export const QUIET_SETTINGS = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: 'openai' } },
};

export const qwenService = (url: string) => ({
  OPENAI_API_KEY: 'none',
  OPENAI_BASE_URL: url,
  OPENAI_MODEL: 'scripted',
});

/** A person's machine with the real Qwen Code and a scripted model. */
export class QwenMachine extends AgentMachine {
  constructor() {
    super('qwen', QWEN_PROGRAM);
    this.settings();
  }

  settings(more: object = {}): void {
    this.sandbox.write('home/.qwen/settings.json', JSON.stringify({ ...QUIET_SETTINGS, ...more }));
  }

  async run(script: ChatScript, prompt = 'Go on') {
    const server = await startChatServer(script);
    const words = ['-p', prompt, '-o', 'stream-json', '--approval-mode', 'yolo'];
    return { ...(await this.start(words, qwenService(server.url))), server };
  }
}

export const done: ChatReply = [{ text: 'All done.' }];

export async function qwenWith(script: ChatScript) {
  const { url, requests } = await startChatServer(script);
  const env = drivenEnvironment(String(QWEN_PROGRAM), qwenService(url));
  return { driver: cliDriver(qwenAgent()), env, requests };
}

/** The contract's plays, with the real Qwen Code. */
export const QWEN_BENCH: DriverBench = driverBench({
  name: 'qwen',
  title: 'Qwen Code',
  program: QWEN_PROGRAM,
  output: outputOf,
  start: qwenWith,
});
