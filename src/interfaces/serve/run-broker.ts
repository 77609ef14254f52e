import { findPerl } from '../../enforcement/install/hook-client.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { systemClock } from '../../platform/clock.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';

const CHECK_MS = 5000;
const FAILED = 3;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `guardkit broker`, which session start runs in the background: serves wrapped commands until nobody needs it. */
export async function runBroker(env = process.env): Promise<number> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  // Node would open its inspector.
  process.on('SIGUSR1', () => {});
  try {
    const { serveAgents } = await import('../../enforcement/broker/serve-agents.ts');
    const dataFolder = guardkitHome(env);
    await serveAgents({
      dataFolder,
      ...(findPerl(dataFolder) === undefined
        ? {}
        : { open: async (count) => (await import('./serve-hooks.ts')).serveHooks({ dataFolder, count }) }),
      env,
      clock: systemClock,
      every: (check) => {
        const timer = setInterval(check, CHECK_MS);
        return () => clearInterval(timer);
      },
      signal: ending.signal,
    });
    return 0;
  } catch (error) {
    const known = error instanceof GuardKitError ? error : undefined;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${[message, known?.hint ?? ''].join('\n').trim()}\n`);
    return known?.exitCode ?? FAILED;
  }
}
