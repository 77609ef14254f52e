import { connect } from 'node:net';
import {
  type BrokerAnswer,
  type BrokerMessage,
  brokerAnswerSchema,
  MAX_LINE_BYTES,
} from './broker-message.ts';
import { shortAddress } from './short-address.ts';

/** Less than an agent waits for its hook. */
const TIMEOUT_MS = 50_000;

/** Asks the GuardKit outside of the sandbox. Fails where no answer comes, and whoever calls it refuses then. */
export async function askBroker(
  socket: string,
  message: BrokerMessage,
  timeoutMs: number = TIMEOUT_MS,
): Promise<BrokerAnswer> {
  const { address, release } = shortAddress(socket);
  try {
    return brokerAnswerSchema.parse(JSON.parse(await exchange(address, JSON.stringify(message), timeoutMs)));
  } catch (error) {
    throw new Error(`the GuardKit that runs this agent gave no answer (${reasonOf(error)})`);
  } finally {
    release();
  }
}

function exchange(address: string, line: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let held = 0;
    const connection = connect(address);
    const fail = (error: Error) => {
      clearTimeout(timeout);
      connection.destroy();
      reject(error);
    };
    const timeout = setTimeout(() => fail(new Error('it took too long')), timeoutMs);
    connection.on('error', fail);
    connection.on('data', (chunk) => {
      held += chunk.length;
      if (held > MAX_LINE_BYTES) fail(new Error('it said too much'));
      else chunks.push(chunk);
    });
    connection.on('end', () => {
      clearTimeout(timeout);
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    connection.on('close', () => fail(new Error('it hung up')));
    connection.write(`${line}\n`);
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError || (error instanceof Error && error.name.includes('Zod')))
    return 'what it said cannot be read';
  return error instanceof Error ? error.message : String(error);
}
