import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { EventLines } from '../cli/event-lines.ts';

const messageSchema = z.looseObject({
  id: z.union([z.number(), z.string()]).nullish(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number().optional(), message: z.string() }).optional(),
});

type Message = z.infer<typeof messageSchema>;

/** An error that the other side answered. */
export class RpcError extends Error {
  readonly code: number | undefined;

  constructor(message: string, code: number | undefined) {
    super(message);
    this.code = code;
  }
}

export interface RpcHandlers {
  /** Answers a request of the other side; undefined for an unknown method. */
  request(method: string, params: unknown): Promise<unknown> | undefined;
  notification(method: string, params: unknown): void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/** JSON-RPC over lines of JSON, as the Agent Client Protocol uses it. */
export class RpcPeer {
  readonly #output: Writable;
  readonly #handlers: RpcHandlers;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #closed: Error | undefined;

  constructor(input: Readable, output: Writable, handlers: RpcHandlers) {
    this.#output = output;
    this.#handlers = handlers;
    const lines = new EventLines(
      (message) => this.#receive(message),
      (why) => this.close(new Error(why)),
    );
    input.on('data', (chunk: Buffer) => {
      if (!this.#closed) lines.add(chunk);
    });
  }

  request(method: string, params: object): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed);
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  /** Fails everything that still waits. */
  close(error: Error): void {
    this.#closed ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#closed);
    this.#waiting.clear();
  }

  #send(message: object): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive(value: unknown): void {
    const message = messageSchema.safeParse(value).data;
    if (!message) return;
    if (message.method === undefined) this.#settle(message);
    else if (message.id === undefined || message.id === null)
      this.#handlers.notification(message.method, message.params);
    else void this.#answer(message.id, message.method, message.params);
  }

  #settle({ id, result, error }: Message): void {
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (!waiting) return;
    this.#waiting.delete(Number(id));
    if (error) waiting.reject(new RpcError(error.message, error.code));
    else waiting.resolve(result);
  }

  async #answer(id: number | string, method: string, params: unknown): Promise<void> {
    try {
      const answer = this.#handlers.request(method, params);
      if (answer) this.#send({ id, result: (await answer) ?? null });
      else this.#send({ id, error: { code: METHOD_NOT_FOUND, message: `unknown method ${method}` } });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#send({ id, error: { code: INTERNAL_ERROR, message } });
    }
  }
}
