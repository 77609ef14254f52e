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

/** The ids of the processes in a terminal's session. */
function processesOf(leader: string): string[] {
  return spawnSync('ps', ['-o', 'pid=', '--sid', leader], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.trim() !== '');
}
