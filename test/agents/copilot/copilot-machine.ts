import { realpathSync } from 'node:fs';
import { cliDriver } from '../../../src/orchestration/drivers/cli/cli-driver.ts';
import { copilotAgent } from '../../../src/orchestration/drivers/cli/copilot.ts';
import type { DriverBench } from '../../orchestration/drivers/driver-benches.ts';
import { type ChatReply, type ChatScript, startChatServer } from '../../support/chat-server.ts';
import { agentProgram } from '../agent-programs.ts';
import { AgentMachine } from '../machine/agent-machine.ts';
import { drivenEnvironment, driverBench } from '../machine/driver-bench.ts';
import { outputOf } from './copilot-acts.ts';

export const COPILOT_PROGRAM = agentProgram('copilot');

/** Without GitHub: a provider of the person's own. */
export const copilotService = (url: string, model: CopilotModel = 'claude-sonnet-4.6') => ({
  COPILOT_OFFLINE: 'true',
  COPILOT_PROVIDER_BASE_URL: url,
  COPILOT_PROVIDER_API_KEY: 'none',
  COPILOT_MODEL: model,
});

/** A model with edit tools, and one that edits by patches. */
type CopilotModel = 'claude-sonnet-4.6' | 'gpt-5.5';

/** A person's machine with the real Copilot CLI and a scripted model. */
export class CopilotMachine extends AgentMachine {
  constructor() {
    super('copilot', COPILOT_PROGRAM);
  }

  /** What the person answers when Copilot CLI asks about the folder. */
  trust(): void {
    const trusted = { trustedFolders: [realpathSync(this.project)] };
    this.sandbox.write('home/.copilot/config.json', JSON.stringify(trusted));
  }

  async run(script: ChatScript, prompt = 'Go on', model?: CopilotModel) {
    const server = await startChatServer(script);
    const words = ['-p', prompt, '--output-format', 'json', '--allow-all-tools', '--no-auto-update'];
    return { ...(await this.start(words, copilotService(server.url, model))), server };
  }
}

export const done: ChatReply = [{ text: 'All done.' }];

export async function copilotWith(script: ChatScript, model?: CopilotModel) {
  const { url, requests } = await startChatServer(script);
  const env = drivenEnvironment(String(COPILOT_PROGRAM), copilotService(url, model));
  return { driver: cliDriver(copilotAgent()), env, requests };
}

/** The shell's parent is another process than the program, and Copilot CLI refuses `kill` without a number. */
const CRASH = [
  "node -e '",
  'const fs = require("fs");',
  'for (let p = process.ppid; p > 1; ) {',
  '  const [, parent] = /PPid:\\s*(\\d+)/.exec(fs.readFileSync("/proc/" + p + "/status", "utf8"));',
  '  if (fs.readlinkSync("/proc/" + p + "/exe").endsWith("/copilot")) process.kill(p, 9);',
  '  p = Number(parent);',
  '}',
  "'; sleep 5",
].join('');

/** The contract's plays, with the real Copilot CLI. */
export const COPILOT_BENCH: DriverBench = driverBench({
  name: 'copilot',
  title: 'Copilot CLI',
  program: COPILOT_PROGRAM,
  output: outputOf,
  crash: CRASH,
  start: copilotWith,
});
