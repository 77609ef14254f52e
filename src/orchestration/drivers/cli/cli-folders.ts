import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { launcherText, quote, type TimedHookCommand } from '../../../enforcement/install/hook-launcher.ts';
import { launcherParts } from '../../../enforcement/install/own-package.ts';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import type { AgentRequest } from '../agent-driver.ts';
import type { ProgramStart, TokenCount } from './cli-agent.ts';

const HOOK = 'guardkit-hook';

/** The folders of an agent's program in the data folder, so that it never reads or changes the person's settings. */
export class CliFolders {
  /** For one start. */
  readonly home: string;
  /** Stays for the same task and role, for a resumed session. */
  readonly kept: string;
  #hasHook = false;

  constructor(dataFolder: string, agent: string, { folder, taskId, role, session }: AgentRequest) {
    const root = join(dataFolder, 'driven', agent);
    const key = createHash('sha256')
      .update(JSON.stringify([folder, taskId, role]))
      .digest('hex');
    this.home = join(root, randomBytes(8).toString('hex'));
    this.kept = join(root, `kept-${key.slice(0, 16)}`);
    if (session === undefined) rmSync(this.kept, { recursive: true, force: true });
    makeFolder(this.home, 0o700);
    makeFolder(this.kept, 0o700);
  }

  /** Writes the start's files; returns the paths that the agent may read and write. */
  write({ files, links = {} }: ProgramStart): { readOnly: string[]; writable: string[] } {
    const written = Object.entries(files).map(([name, text]) => {
      const path = join(this.home, name);
      writeFileAtomic(path, text, 0o600, { lasting: false });
      return path;
    });
    for (const [name, target] of Object.entries(links)) {
      const path = join(this.home, name);
      makeFolder(dirname(path), 0o700);
      symlinkSync(target, path);
    }
    return {
      readOnly: [...written, ...(this.#hasHook ? [this.#hook] : [])],
      writable: [this.home, ...Object.values(links).map((target) => realpathSync(target))],
    };
  }

  get #hook(): string {
    return join(this.home, HOOK);
  }

  /** The hooks' commands, which ask the driver's door. */
  writeHook(dataFolder: string, agent: string, socket: string): TimedHookCommand {
    this.#hasHook = true;
    writeFileAtomic(this.#hook, launcherText(launcherParts(dataFolder)), 0o700, { lasting: false });
    const command = (option: string) =>
      `${quote(this.#hook)} ${agent} ${option} ${quote(`--door=${socket}`)}`;
    const refusing = `${command(`--deadline-${DEADLINE_SECONDS}`)} || exit 2`;
    const letting = command('--never-refuse');
    return { refusing, stopping: refusing, letting, beginning: letting };
  }

  /** The tokens of a session before this start, for agents that report only its total. */
  tokensBefore(session: string | undefined): TokenCount {
    const none = { input: 0, cached: 0, output: 0 };
    if (session === undefined) return none;
    try {
      const known = usageSchema.parse(JSON.parse(readFileSync(this.#usage, 'utf8')));
      return known.session === session ? known.tokens : none;
    } catch {
      // Safe: without a record, the whole session counts, which is too much rather than too little.
      return none;
    }
  }

  recordTokens(session: string, tokens: TokenCount): void {
    writeFileAtomic(this.#usage, JSON.stringify({ session, tokens }), 0o600);
  }

  /** Not in a folder that the agent may write. */
  get #usage(): string {
    return join(this.kept, 'usage.json');
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Below the timeout in the agents' settings. */
const DEADLINE_SECONDS = 50;

const count = z.number().min(0);
const usageSchema = z.strictObject({
  session: z.string(),
  tokens: z.strictObject({ input: count, cached: count, output: count }),
});
