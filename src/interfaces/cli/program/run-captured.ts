import { Readable, Writable } from 'node:stream';
import type { SandboxStatus } from '../../../platform/sandbox/find-sandbox.ts';
import { lookForSandbox, runCli } from './run-cli.ts';

/** Finding a sandbox starts one. */
const SANDBOX_MS = 60_000;
let found: { at: number; sandbox: Promise<SandboxStatus> } | undefined;

/** Runs a command line in this process, without a terminal and a person, and returns what it printed. */
export async function runCaptured(
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const stdout = new Captured();
  const stderr = new Captured();
  const exitCode = await runCli(args, {
    cwd,
    env,
    stdin: Readable.from([]),
    stdout,
    stderr,
    findPerson: () => ({ present: false, why: 'no terminal' }),
    findSandbox: () => {
      if (!found || Date.now() - found.at > SANDBOX_MS)
        found = { at: Date.now(), sandbox: lookForSandbox(env) };
      return found.sandbox;
    },
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

class Captured extends Writable {
  text = '';
  isTTY = false;

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
