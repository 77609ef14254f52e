import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';

/** Whether tmux is installed, without which there is no terminal to test with. */
export const HAS_TMUX = (() => {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    // Safe: its tests are skipped by name.
    return false;
  }
})();

/** A terminal with a program in it, gone after the test. */
export class Terminal {
  readonly #name = `guardkit-${randomBytes(6).toString('hex')}`;

  constructor(words: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
    const size = ['-x', '120', '-y', '40'];
    this.#tmux(['-f', '/dev/null', 'new-session', '-d', ...size, '-c', cwd, ...words], env);
    const leader = this.#tmux(['display-message', '-p', '#{pane_pid}']).trim();
    onTestFinished(async () => {
      try {
        this.#tmux(['kill-server']);
      } catch {
        // Safe: the program has ended, and tmux with it.
      }
      await expect.poll(() => processesOf(leader), { timeout: 20_000, interval: 200 }).toEqual([]);
    });
  }

  type(...keys: string[]): void {
    this.#tmux(['send-keys', ...keys]);
  }

  get screen(): string {
    return this.#tmux(['capture-pane', '-p']);
  }

  #tmux(args: readonly string[], env?: Record<string, string>): string {
    return execFileSync('tmux', ['-L', this.#name, ...args], { encoding: 'utf8', ...(env ? { env } : {}) });
  }
}

export const STOP_GUARD = `id: verified-first
summary: Nothing is done before its tests have passed.
kinds: [stop]
requires: tests
reason: The work is not verified.
guidance: Run guardkit verify first.
`;
export const LAST_WORDS = 'It cannot be verified.';
/** A whole session on a busy machine. */
export const SESSION_MS = 600_000;
const LIMIT = { timeout: 200_000, interval: 500 };

interface PersonSession {
  /** What the screen shows when the agent can be asked. */
  ready: RegExp;
  prompt: string;
  /** The requests to the model so far. */
  requests: () => readonly string[];
  exists: (path: string) => boolean;
  forbidden: string;
  allowed: string;
}

/**
 * A person asks once in a terminal. The model tries a forbidden edit, makes an allowed one, stops, is kept from stopping
 * because the work is not verified, and stops again.
 */
export async function expectGuardedSession(terminal: Terminal, session: PersonSession): Promise<void> {
  try {
    await holdSession(terminal, session);
  } catch (error) {
    throw new Error(`The terminal shows:\n${terminal.screen.trimEnd()}`, { cause: error });
  }
}

async function holdSession(terminal: Terminal, session: PersonSession): Promise<void> {
  const { ready, prompt, requests, exists, forbidden, allowed } = session;
  await expect.poll(() => terminal.screen, LIMIT).toMatch(ready);
  terminal.type(prompt);
  await expect.poll(() => terminal.screen, LIMIT).toContain(prompt);
  // The first one may only complete a command.
  const sent = () => {
    if (requests().length === 0) terminal.type('Enter');
    return requests().length;
  };
  await expect.poll(sent, { ...LIMIT, interval: 3000 }).toBeGreaterThan(0);
  await expect.poll(() => requests().length, LIMIT).toBe(4);
  expect(requests()[1]).toContain('protected-set');
  expect(requests()[3]).toContain('The work is not verified.');
  expect([exists(forbidden), exists(allowed)]).toEqual([false, true]);
  await expect.poll(() => terminal.screen, LIMIT).toContain(LAST_WORDS);
}

/** The environment of a terminal. */
export const TERMINAL_ENV = { TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8' };

/** The ids of the processes in a terminal's session. */
function processesOf(leader: string): string[] {
  return spawnSync('ps', ['-o', 'pid=', '--sid', leader], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.trim() !== '');
}
