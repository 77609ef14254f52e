import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { askBroker } from '../../../src/enforcement/broker/ask-broker.ts';
import { relayToBroker } from '../../../src/enforcement/broker/broker-client.ts';
import type { BrokerMessage } from '../../../src/enforcement/broker/broker-message.ts';
import { findBroker } from '../../../src/enforcement/broker/broker-socket.ts';
import { type BrokerContext, openBroker } from '../../../src/enforcement/broker/open-broker.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const QUESTION: BrokerMessage = { kind: 'hook', agent: 'claude', payload: '{"a": "ü\\n"}' };

async function broker(answer: BrokerContext['answer'], dataFolder = temporaryFolder()) {
  const opened = await openBroker({ dataFolder, name: 'one', answer });
  onTestFinished(opened.close);
  return { ...opened, dataFolder };
}

const echo: BrokerContext['answer'] = async ({ agent, payload }) => ({
  exitCode: 2,
  stdout: payload,
  stderr: `${agent}\n`,
});

/** Sends bytes, closes its side, and returns the answer. */
function send(socket: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const connection = connect(socket, () => connection.end(bytes));
    connection.on('data', (chunk) => {
      heard += String(chunk);
    });
    connection.on('error', () => {});
    connection.on('close', () => resolve(heard));
  });
}

it('every message on the socket gets an answer', async () => {
  const { socket } = await broker(echo);
  const answers = await Promise.all(Array.from({ length: 20 }, () => askBroker(socket, QUESTION)));
  expect(new Set(answers.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ exitCode: 2, stdout: QUESTION.payload, stderr: 'claude\n' })]),
  );
});

it('a message as large as a big file gets an answer', async () => {
  const { socket } = await broker(echo);
  const payload = 'x'.repeat(5_000_000);
  expect((await askBroker(socket, { ...QUESTION, payload })).stdout).toBe(payload);
});

it('a connection gets one answer, and many open connections do not block others for long', async () => {
  const { socket } = await broker(echo);
  const line = `${JSON.stringify(QUESTION)}\n`;
  expect((await send(socket, line.repeat(50))).split('\n')).toHaveLength(2);
  const flood = Array.from({ length: 200 }, () => connect(socket).on('error', () => {}));
  onTestFinished(() => {
    for (const one of flood) one.destroy();
  });
  await Promise.all(
    flood.map((one) => new Promise((resolve) => one.once('connect', resolve).once('close', resolve))),
  );
  await expect(askBroker(socket, QUESTION)).rejects.toThrow(Error);
  await Promise.all(
    flood.map(
      (one) => new Promise((resolve) => (one.destroyed ? resolve(0) : one.once('close', resolve).destroy())),
    ),
  );
  await expect.poll(() => askBroker(socket, QUESTION).catch(() => undefined)).toMatchObject({ exitCode: 2 });
});

it('only its owner can reach the socket, and closing removes it', async () => {
  const { socket, dataFolder, close } = await broker(echo);
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(statSync(join(dataFolder, 'run')).mode & 0o777).toBe(0o700);
  await close();
  expect(existsSync(socket)).toBe(false);
  await expect(askBroker(socket, QUESTION)).rejects.toThrow(Error);
});

it('the data folder’s path may be longer than a socket address', async () => {
  const dataFolder = join(temporaryFolder(), 'a'.repeat(100), 'b'.repeat(100));
  const { socket } = await broker(echo, dataFolder);
  expect((await askBroker(socket, QUESTION)).exitCode).toBe(2);
});

it.each([
  ['no JSON', 'hello\n'],
  ['another kind of question', '{"kind": "shell", "agent": "claude", "payload": ""}\n'],
  ['a question with more in it', '{"kind": "hook", "agent": "claude", "payload": "", "env": {}}\n'],
  ['half a question', '{"kind": "hook"'],
  ['nothing', ''],
])('%s gets no answer, and the next message does', async (_name, bytes) => {
  const { socket } = await broker(echo);
  expect(await send(socket, bytes)).toBe('');
  expect((await askBroker(socket, QUESTION)).exitCode).toBe(2);
});

it('a failed, invalid or missing answer is an error for the client', async () => {
  const failing = await broker(() => Promise.reject(new Error('broken')));
  await expect(askBroker(failing.socket, QUESTION)).rejects.toThrow(Error);
  const odd = await broker(async () => ({ exitCode: 0 }) as never);
  await expect(askBroker(odd.socket, QUESTION)).rejects.toThrow(Error);
  const silent = await broker(() => new Promise(() => {}));
  await expect(askBroker(silent.socket, QUESTION, 50)).rejects.toThrow(Error);
});

it('a socket that the client could have created itself is ignored', async () => {
  const { dataFolder } = await broker(echo);
  expect(findBroker({ GUARDKIT_HOME: dataFolder })).toBeUndefined();
  expect(findBroker({ GUARDKIT_HOME: 'not/absolute' })).toBeUndefined();
  expect(findBroker({ GUARDKIT_HOME: join(dataFolder, 'absent') })).toBeUndefined();
});

it('the socket of a killed process is removed', async () => {
  const dataFolder = temporaryFolder();
  mkdirSync(join(dataFolder, 'run'));
  writeFileSync(join(dataFolder, 'run', '999999999-one.sock'), '');
  await broker(echo, dataFolder);
  expect(readdirSync(join(dataFolder, 'run'))).toEqual([`${process.pid}-one.sock`]);
});

it('after a tools message, the same connection carries the MCP traffic', async () => {
  const dataFolder = temporaryFolder();
  const opened = await openBroker({
    dataFolder,
    name: 'tools',
    answer: echo,
    serveTools: (connection) => connection.pipe(connection),
  });
  onTestFinished(opened.close);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const relayed = relayToBroker(opened.socket, input, output);
  input.write('first\n');
  input.end('second\n');
  await relayed;
  expect(String(output.read())).toBe('first\nsecond\n');
  // Also if both arrive at once.
  expect(await send(opened.socket, '{"kind":"tools"}\nat once\n')).toBe('at once\n');
});

it('without tools, a tools message closes the connection', async () => {
  const { socket } = await broker(echo);
  expect(await send(socket, '{"kind":"tools"}\n{"jsonrpc":"2.0"}\n')).toBe('');
  await relayToBroker(socket, new PassThrough(), new PassThrough());
  expect((await askBroker(socket, QUESTION)).exitCode).toBe(2);
});
