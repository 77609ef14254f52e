import { connect } from 'node:net';
import {
  type BrokerAnswer,
  type BrokerMessage,
  brokerAnswerSchema,
  MAX_LINE_BYTES,
} from './broker-message.ts';
import { shortAddress } from './broker-socket.ts';

/** Shorter than a hook's timeout. */
const TIMEOUT_MS = 50_000;

/** Asks the broker outside the sandbox. Rejects without an answer; the caller then refuses. */
export async function askBroker(
  socket: string,
  message: BrokerMessage,
  timeoutMs: number = TIMEOUT_MS,
): Promise<BrokerAnswer> {
  const { address, release } = shortAddress(socket);
  try {
    return brokerAnswerSchema.parse(JSON.parse(await exchange(address, JSON.stringify(message), timeoutMs)));
  } catch (error) {
    throw new Error(`GuardKit’s broker did not answer (${reasonOf(error)})`);
  } finally {
    release();
  }
}

function exchange(address: string, line: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const connection = connect(address);
    const fail = (error: Error) => {
      clearTimeout(timeout);
      connection.destroy();
      reject(error);
    };
    const timeout = setTimeout(() => fail(new Error('timeout')), timeoutMs);
    connection.on('error', fail);
    connection.on('data', (chunk) => {
      received += chunk.length;
      if (received > MAX_LINE_BYTES) fail(new Error('answer too long'));
      else chunks.push(chunk);
    });
    connection.on('end', () => {
      clearTimeout(timeout);
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    connection.on('close', () => fail(new Error('connection closed')));
    connection.write(`${line}\n`);
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError || (error instanceof Error && error.name.includes('Zod')))
    return 'invalid answer';
  return error instanceof Error ? error.message : String(error);
}
