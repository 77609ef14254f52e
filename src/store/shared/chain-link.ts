import { randomUUID } from 'node:crypto';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { GuardKitError } from '../../guardkit-error.ts';
import type { ChainHead } from '../ledger/chain/ledger-entry.ts';
import type { SharedEntry, SharedWriter } from '../ledger/shared-writer.ts';
import type { Claim } from './chain-append.ts';
import type { ChainAnswer, ChainCall } from './chain-thread.ts';
import { SHARED_KINDS } from './shared-kinds.ts';

/** The server may restart; a build would rather wait than lose its turn. */
const PATIENCE_MS = 30_000;
/** For a thread that does not answer at all. */
const ANSWER_MS = 60_000;

/**
 * The connection of a worker to the shared chain. The ledger is synchronous, so its entries are sent by another thread
 * while this one waits: an append takes a few milliseconds, and nothing counts before the server has it.
 */
export class ChainLink {
  readonly #worker: Worker;
  readonly #port: MessageChannel['port1'];
  readonly #answerMs: number;
  #isClosed = false;

  /** `file` is the script of the thread. */
  constructor(url: string, file: string, answerMs = ANSWER_MS) {
    this.#answerMs = answerMs;
    const { port1, port2 } = new MessageChannel();
    this.#worker = new Worker(file, { workerData: { url, port: port2 }, transferList: [port2] });
    this.#worker.unref();
    port1.unref();
    this.#port = port1;
  }

  /** For the ledger of one build; `machine` is the id of that ledger. */
  writer(claim: Claim, machine: string): SharedWriter {
    return {
      project: claim.project,
      takes: (kind) => SHARED_KINDS.has(kind),
      append: (entries, head) => this.#append(claim, entries, { id: machine, ...head }),
    };
  }

  #append(claim: Claim, entries: readonly SharedEntry[], machine: ChainHead & { id: string }): number {
    // Nobody would answer; a worker that ends must not wait for that.
    if (this.#isClosed) throw silent();
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const request = { claim, machine, batch: randomUUID(), entries };
    this.#port.postMessage({ request, flag, patienceMs: PATIENCE_MS } satisfies ChainCall);
    if (Atomics.wait(flag, 0, 0, this.#answerMs) === 'timed-out') throw silent();
    const answer = this.#answerTo(request.batch);
    if (!answer) throw silent();
    if ('first' in answer) return answer.first;
    throw new GuardKitError(answer.error);
  }

  /** Skips late answers to requests that were given up, as after this process was suspended. */
  #answerTo(batch: string): ChainAnswer | undefined {
    for (;;) {
      const received = receiveMessageOnPort(this.#port);
      const answer = received?.message as ChainAnswer | undefined;
      if (!answer || answer.batch === batch) return answer;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#port.close();
    await this.#worker.terminate();
  }
}

function silent(): GuardKitError {
  return new GuardKitError({
    code: 'store.timeout',
    kind: 'outside',
    message: 'The shared chain did not respond.',
    hint: 'Check the connection to the PostgreSQL server, then try again.',
  });
}
