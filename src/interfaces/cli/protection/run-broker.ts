import { systemClock } from '../../../platform/clock.ts';
import { guardkitHome } from '../../../platform/guardkit-home.ts';
import { describeError } from '../program/describe-error.ts';

const CHECK_MS = 5000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `guardkit broker`, which session start runs in the background: serves wrapped commands until nobody needs it. */
export async function runBroker(env = process.env): Promise<number> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  // Node would open its inspector.
  process.on('SIGUSR1', () => {});
  try {
    const { serveAgents } = await import('../../../enforcement/broker/serve-agents.ts');
    await serveAgents({
      dataFolder: guardkitHome(env),
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
    const { text, exitCode } = describeError(error, false);
    process.stderr.write(`${text}\n`);
    return exitCode;
  }
}
