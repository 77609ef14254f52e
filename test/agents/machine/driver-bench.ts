import { join } from 'node:path';
import type { AgentDriver } from '../../../src/orchestration/drivers/agent-driver.ts';
import type { DriverBench } from '../../orchestration/drivers/driver-benches.ts';
import type { ChatOutput, ChatScript } from '../../support/chat-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Act } from '../scripted-build.ts';

/** An agent over OpenAI's Chat Completions API. */
interface BenchAgent {
  name: string;
  title: string;
  program: string | undefined;
  output(act: Act, folder: string): ChatOutput;
  /** A command that ends the agent's program (default: its parent is the program). */
  crash?: string;
  start(script: ChatScript): Promise<{ driver: AgentDriver; env: NodeJS.ProcessEnv }>;
}

export function driverBench({ name, title, program, output, crash, start }: BenchAgent): DriverBench {
  return {
    name,
    beginsWithinMs: 15_000,
    ...(program === undefined ? { unavailable: `${title} cannot be installed here` } : {}),
    async stage({ write = {}, run = [], end }, folder) {
      const acts: Act[] = [
        ...Object.entries(write).map(([path, content]) => ({ write: path, content })),
        ...run.map((command) => ({ run: command })),
        ...(end === 'crash' ? [{ run: crash ?? 'kill -9 $PPID; sleep 5' }] : []),
        { say: typeof end === 'object' ? `Done: ${JSON.stringify(end.answer)}` : 'I am done.' },
      ];
      return start(acts.map((act) => [output(act, folder)]));
    },
  };
}

export function drivenEnvironment(program: string, service: Record<string, string>): NodeJS.ProcessEnv {
  const home = temporaryFolder();
  return {
    ...process.env,
    HOME: home,
    GUARDKIT_HOME: join(home, '.guardkit'),
    PATH: `${join(program, '..')}:${process.env.PATH}`,
    ...service,
  };
}
