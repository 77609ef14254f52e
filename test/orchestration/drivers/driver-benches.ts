import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AgentDriver } from '../../../src/orchestration/drivers/agent-driver.ts';
import { claudeDriver } from '../../../src/orchestration/drivers/claude-driver.ts';
import { commandDriver } from '../../../src/orchestration/drivers/command-driver.ts';
import { scriptDriver } from '../../../src/orchestration/drivers/script-driver.ts';
import { type Reply, startMessagesServer } from '../../support/messages-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** An agent's actions in order, and its end. */
export interface Play {
  /** Paths from the folder. */
  write?: Record<string, string>;
  run?: readonly string[];
  end: { answer: unknown } | 'without a word' | 'crash';
}

export interface DriverBench {
  name: string;
  /** Why it cannot be tried here. */
  unavailable?: string;
  /** Time enough for its agent to begin, mostly. */
  beginsWithinMs: number;
  /** A driver whose agent plays this, and the environment it needs. */
  stage(play: Play, folder: string): Promise<{ driver: AgentDriver; env: NodeJS.ProcessEnv }>;
}

const script: DriverBench = {
  name: 'script',
  beginsWithinMs: 500,
  async stage({ write = {}, run = [], end }) {
    const player = {
      write,
      run: [...run],
      ...(end === 'crash'
        ? { fail: 'crash' as const }
        : typeof end === 'object'
          ? { report: end.answer }
          : {}),
    };
    const coach = typeof end === 'object' ? { verdict: end.answer } : {};
    return { driver: scriptDriver({ turns: [{ player, coach }] }), env: process.env };
  },
};

const command: DriverBench = {
  name: 'command',
  beginsWithinMs: 500,
  async stage({ write = {}, run = [], end }) {
    const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const lines = [
      'cat > /dev/null',
      ...Object.entries(write).map(([path, content]) => `printf %s ${quote(content)} > ${quote(path)}`),
      ...run,
      ...(end === 'crash' ? ['echo out of luck >&2', 'exit 3'] : []),
      ...(typeof end === 'object' ? [`echo Done: ${quote(JSON.stringify(end.answer))}`] : []),
      'exit 0',
    ];
    return { driver: commandDriver({ run: lines.join('\n') }), env: process.env };
  },
};

const claude: DriverBench = {
  name: 'claude',
  beginsWithinMs: 5000,
  ...(claudeProgram() ? {} : { unavailable: 'the Claude Agent SDK has no program for this system here' }),
  async stage({ write = {}, run = [], end }, folder) {
    const bash = (commandText: string): Reply => use('Bash', { command: commandText });
    const replies: Reply[] = [
      ...Object.entries(write).map(([path, content]) =>
        use('Write', { file_path: join(folder, path), content }),
      ),
      ...run.map(bash),
      ...(end === 'crash' ? [bash('kill -9 $PPID')] : []),
      typeof end === 'object'
        ? use('StructuredOutput', end.answer as Record<string, unknown>)
        : { content: [{ type: 'text', text: 'I am done.' }] },
    ];
    const server = await startMessagesServer(replies);
    return { driver: claudeDriver(), env: server.env(temporaryFolder()) };
  },
};

export const DRIVER_BENCHES: readonly DriverBench[] = [script, command, claude];

/** A reply in which the model uses one tool. */
export function use(name: string, input: Record<string, unknown>): Reply {
  return { content: [{ type: 'tool_use', name, input }] };
}

/** The SDK's own copy of Claude Code, if its package for this system is installed. */
export function claudeProgram(): string | undefined {
  try {
    const { resolve } = createRequire(import.meta.resolve('@anthropic-ai/claude-agent-sdk'));
    return resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
  } catch {
    return undefined;
  }
}
