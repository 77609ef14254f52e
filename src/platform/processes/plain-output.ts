import { writeSync } from 'node:fs';

/**
 * Writes to a file or pipe synchronously, like Node's own stream, without creating one. The stream is created only when a
 * caller needs more than `write`.
 */
export function plainOutput<Stream extends NodeJS.WritableStream>(
  descriptor: number,
  stream: () => Stream,
  failed: (error: NodeJS.ErrnoException) => void,
): Stream {
  const write = (text: string | Uint8Array): boolean => {
    try {
      writeAll(descriptor, text);
    } catch (error) {
      failed(error as NodeJS.ErrnoException);
    }
    return true;
  };
  let whole: Stream | undefined;
  return new Proxy({} as Stream, {
    get: (_, name) => {
      if (name === 'write') return write;
      if (name === 'columns' || name === 'isTTY') return undefined;
      whole ??= stream();
      const value: unknown = Reflect.get(whole, name);
      return typeof value === 'function' ? value.bind(whole) : value;
    },
  });
}

/** Writes everything, also to a non-blocking pipe. */
export function writeAll(descriptor: number, text: string | Uint8Array): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
