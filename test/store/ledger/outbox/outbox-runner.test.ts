import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { GuardKitError } from '../../../../src/guardkit-error.ts';
import type { EpisodeStore } from '../../../../src/store/episode-store.ts';
import { entryKindRegistry } from '../../../../src/store/ledger/chain/entry-kind.ts';
import {
  type OutboxEvent,
  OutboxRunner,
  type OutboxRunnerOptions,
  type Wait,
} from '../../../../src/store/ledger/outbox/outbox-runner.ts';
import { buildWorker, runWorker } from '../../../support/worker.ts';
import {
  away,
  gate,
  intercepted,
  PROJECT,
  summaries,
  temporaryLedger,
  temporaryStore,
  turn,
} from '../ledger-fixture.ts';

interface Pause {
  ms: number;
  isOver: () => boolean;
  end: () => void;
}

/** A clock that only the test moves. */
class Pauses {
  readonly #begun: Pause[] = [];
  #expected: ((pause: Pause) => void) | undefined;

  readonly wait: Wait = (ms, signal) =>
    new Promise((resolve) => {
      let over = false;
      const end = () => {
        over = true;
        resolve();
      };
      signal.addEventListener('abort', end);
      const pause = { ms, isOver: () => over, end };
      if (this.#expected) this.#expected(pause);
      else this.#begun.push(pause);
      this.#expected = undefined;
    });

  /** The runner's next pause. */
  next(): Promise<Pause> {
    const pause = this.#begun.shift();
    if (pause) return Promise.resolve(pause);
    return new Promise((resolve) => {
      this.#expected = resolve;
    });
  }
}

const DELAYS = { firstRetryMs: 100, longestRetryMs: 500, pollMs: 7 };

function startRunner(options: Omit<OutboxRunnerOptions, 'delays' | 'wait'>) {
  const events: OutboxEvent[] = [];
  const pauses = new Pauses();
  const runner = new OutboxRunner({
    onEvent: (event) => events.push(event),
    ...options,
    delays: DELAYS,
    wait: pauses.wait,
  });
  onTestFinished(() => runner.stop());
  runner.start();
  return { runner, events, pauses };
}

function kept(store: Pick<EpisodeStore, 'upsertMany'>) {
  return { upsertMany: store.upsertMany.bind(store), close: async () => {} };
}

test('delivers pending entries at the start, and later ones when notified or at the next poll', async () => {
  const [ledger, store] = [temporaryLedger(), await temporaryStore()];
  const writerElsewhere = temporaryLedger({ path: ledger.path });
  ledger.append(PROJECT, 'turn_recorded', turn(1, 'first'));
  const { runner, events, pauses } = startRunner({ ledger, openStore: async () => kept(store) });

  const idle = await pauses.next();
  expect(idle.ms).toBe(DELAYS.pollMs);
  expect(await summaries(store, 1)).toEqual(['first']);

  ledger.append(PROJECT, 'turn_recorded', turn(2, 'second'));
  runner.notify();
  expect(idle.isOver()).toBe(true);
  const again = await pauses.next();
  expect(await summaries(store, 2)).toEqual(['second']);

  writerElsewhere.append(PROJECT, 'turn_recorded', turn(3, 'third'));
  again.end();
  await pauses.next();
  expect(await summaries(store, 3)).toEqual(['third']);
  expect(events).toEqual(Array.from({ length: 3 }, () => ({ type: 'delivered', entries: 1, pending: 0 })));
});

test('an entry appended between a delivery and its pause does not wait for the pause', async () => {
  const [ledger, store] = [temporaryLedger(), await temporaryStore()];
  ledger.append(PROJECT, 'turn_recorded', turn(1, 'first'));
  const { runner, pauses } = startRunner({
    ledger,
    openStore: async () => kept(store),
    onEvent: () => {
      if (ledger.head(PROJECT)?.number !== 1) return;
      ledger.append(PROJECT, 'turn_recorded', turn(2, 'second'));
      runner.notify();
    },
  });
  await pauses.next();
  expect(await summaries(store, 2)).toEqual(['second']);
});

test('a store that cannot be opened is retried at growing intervals', async () => {
  const [ledger, store] = [temporaryLedger(), await temporaryStore()];
  ledger.append(PROJECT, 'turn_recorded', turn(1, 'first'));
  let opened = 0;
  let isAway = true;
  const { runner, events, pauses } = startRunner({
    ledger,
    openStore: async () => {
      opened += 1;
      if (isAway) throw away();
      return kept(store);
    },
  });
  for (const ms of [100, 200, 400, 500, 500]) {
    const pause = await pauses.next();
    expect(pause.ms).toBe(ms);
    expect(events.at(-1)).toMatchObject({
      type: 'away',
      failure: { code: 'store.unreachable' },
      retryInMs: ms,
    });
    runner.notify();
    expect(pause.isOver()).toBe(false);
    pause.end();
  }
  const last = await pauses.next();
  expect(opened).toBe(6);
  isAway = false;
  last.end();
  expect((await pauses.next()).ms).toBe(DELAYS.pollMs);
  expect(events.at(-1)).toEqual({ type: 'delivered', entries: 1, pending: 0 });
  expect(await summaries(store, 1)).toEqual(['first']);
});

test('a store that fails is closed and reopened, and the intervals restart', async () => {
  const [ledger, store] = [temporaryLedger(), await temporaryStore()];
  const log: string[] = [];
  let failing = true;
  const flaky = intercepted(store, async (_number, forward) => {
    if (failing) throw away();
    return forward();
  });
  const { runner, pauses } = startRunner({
    ledger,
    openStore: async () => {
      log.push('opened');
      return {
        upsertMany: flaky.upsertMany,
        close: async () => {
          log.push('closed');
          throw new Error('the connection is broken');
        },
      };
    },
  });
  let pause = await pauses.next();
  expect(log).toEqual([]);
  for (const turnNumber of [1, 2]) {
    failing = true;
    ledger.append(PROJECT, 'turn_recorded', turn(turnNumber, 'x'));
    runner.notify();
    pause = await pauses.next();
    expect(pause.ms).toBe(DELAYS.firstRetryMs);
    failing = false;
    pause.end();
    pause = await pauses.next();
    expect(pause.ms).toBe(DELAYS.pollMs);
  }
  expect(log).toEqual(['opened', 'closed', 'opened', 'closed', 'opened']);
  await runner.stop();
  expect(log.at(-1)).toBe('closed');
  expect(flaky.numbers).toEqual([1, 1, 2, 2]);
});

test('stopping waits for the current entry and leaves the rest for the next run', async () => {
  const [ledger, store] = [temporaryLedger(), await temporaryStore()];
  for (const number of [1, 2, 3]) ledger.append(PROJECT, 'turn_recorded', turn(number, 'x'));
  const answer = gate();
  const asked = gate();
  const slow = intercepted(store, async (_number, forward) => {
    asked.open();
    await answer.opened;
    return forward();
  });
  const { runner } = startRunner({ ledger, openStore: async () => kept(slow) });
  await asked.opened;
  let stopped = false;
  const stopping = runner.stop().then(() => {
    stopped = true;
  });
  for (let turnOfTheLoop = 0; turnOfTheLoop < 5; turnOfTheLoop += 1) await setImmediate();
  expect(stopped).toBe(false);
  answer.open();
  await stopping;
  expect(slow.numbers).toEqual([1]);
  expect(ledger.outbox.status().pending).toBe(2);
  await runner.stop();

  runner.start();
  await runner.stop();
  runner.start();
  runner.start();
});

test('refused and waiting entries are reported once, and a failing subscriber changes nothing', async () => {
  const [ledger, store] = [temporaryLedger(), await temporaryStore()];
  for (const number of [1, 2]) ledger.append(PROJECT, 'turn_recorded', turn(number, 'x'));
  const older = temporaryLedger({ path: ledger.path, kinds: entryKindRegistry([]) });
  const events: OutboxEvent[] = [];
  const onEvent = (event: OutboxEvent) => {
    events.push(event);
    throw new Error('the subscriber is broken');
  };
  const blocked = startRunner({ ledger: older, openStore: async () => kept(store), onEvent });
  (await blocked.pauses.next()).end();
  (await blocked.pauses.next()).end();
  await blocked.pauses.next();
  expect(events).toEqual([{ type: 'waiting', project: PROJECT, number: 1, reason: expect.any(String) }]);

  events.length = 0;
  const picky = intercepted(store, async (number, forward) => {
    if (number === 2) return forward();
    throw new GuardKitError({ code: 'x', kind: 'refused', message: 'not this one', hint: '' });
  });
  const { pauses } = startRunner({ ledger, openStore: async () => kept(picky), onEvent });
  (await pauses.next()).end();
  await pauses.next();
  expect(events).toEqual([
    { type: 'refused', project: PROJECT, number: 1, reason: 'not this one' },
    { type: 'delivered', entries: 1, pending: 0 },
  ]);
});

test('a failing ledger is reported like an unavailable store', async () => {
  const ledger = temporaryLedger();
  const { events, pauses } = startRunner({ ledger, openStore: () => Promise.reject(new Error('not asked')) });
  const idle = await pauses.next();
  ledger.close();
  idle.end();
  expect((await pauses.next()).ms).toBe(DELAYS.firstRetryMs);
  expect(events).toEqual([
    { type: 'away', failure: expect.objectContaining({ name: 'TypeError' }), retryInMs: DELAYS.firstRetryMs },
  ]);
});

test('a runner does not keep a process alive', async () => {
  const ledger = temporaryLedger();
  ledger.append(PROJECT, 'turn_recorded', turn(1));
  const worker = await buildWorker(fileURLToPath(new URL('../runner-worker.ts', import.meta.url)));
  expect(await runWorker(worker, [ledger.path]).done).toMatchObject({
    code: 0,
    stdout: 'away\n',
    stderr: '',
  });
});
