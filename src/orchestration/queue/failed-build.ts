import { setTimeout as sleep } from 'node:timers/promises';
import { GuardKitError } from '../../guardkit-error.ts';

/** What becomes of a build that failed with an error on a worker. */
export type AfterFailure =
  /** Another worker has the feature, or a person cancelled it. */
  | 'lost'
  /** Nothing is wrong with the feature: build it again from the ledger, however often. */
  | 'again'
  /** This machine cannot build; others can. */
  | 'elsewhere'
  /** A person has to decide. */
  | 'stopped'
  | 'failed';

/** The server or the remote is away, or others are faster. Ends by itself. */
const PASSES: ReadonlySet<string> = new Set([
  'store.unreachable',
  'store.timeout',
  'store.too-many-connections',
  'store.locked',
  'store.conflict',
  'queue.remote-away',
  'queue.tip-moved',
  'queue.recorded-twice',
  'build.taken',
]);

/** Every feature would fail here the same way. */
const HERE: ReadonlySet<string> = new Set([
  'queue.newer-entry',
  'queue.other-chain',
  'driver.locked-out',
  'driver.program-missing',
  'store.disk-full',
  'store.io',
  'store.not-writable',
]);

/** Trying again gives the same answer, and may cost another run of an agent. */
const FINAL: ReadonlySet<string> = new Set([
  'queue.push-refused',
  'queue.remote-failed',
  'build.preflight',
  'driver.unguarded',
  'run.agent-silent',
]);

/** Another try often helps, as after a git process that was killed with its worker. */
const MAX_FAULTS = 3;

/** Whether the error says nothing about the feature or this machine. */
export function passes(error: unknown): boolean {
  return error instanceof GuardKitError && PASSES.has(error.code);
}

/** `faults` is how often the build has failed here with an error that does not pass by itself, this time included. */
export function afterFailure(error: unknown, faults: number): AfterFailure {
  const perhaps = faults < MAX_FAULTS ? 'again' : 'failed';
  if (!(error instanceof GuardKitError)) return perhaps;
  const { code, kind } = error;
  if (code === 'queue.claim-lost') return 'lost';
  if (code === 'queue.budget') return 'stopped';
  if (passes(error)) return 'again';
  if (HERE.has(code)) return 'elsewhere';
  if (kind === 'input' || FINAL.has(code)) return 'failed';
  return perhaps;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Before the next try: a server that is away is not asked twice a second by every worker. */
export function waitBefore(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
}

const PATIENCE_MS = 60_000;

/**
 * Repeats work that other work depends on while the server or the remote is away, at most for a while. Throws the last error
 * if they stay away, or once the signal is aborted.
 */
export async function waitOut<Result>(
  work: () => Promise<Result>,
  {
    signal,
    patienceMs = PATIENCE_MS,
    onWait,
  }: { signal: AbortSignal | undefined; patienceMs?: number; onWait?: (why: string) => void },
): Promise<Result> {
  const end = performance.now() + patienceMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error) || signal?.aborted || performance.now() > end) throw error;
      if (tries === 1 && error instanceof Error) onWait?.(error.message);
      await sleep(waitBefore(tries), undefined, signal ? { signal } : {}).catch(() => undefined);
    }
  }
}
