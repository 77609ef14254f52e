import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { askBroker } from '../../../src/enforcement/broker/ask-broker.ts';
import type { BrokerMessage } from '../../../src/enforcement/broker/broker-message.ts';
import { findBroker } from '../../../src/enforcement/broker/find-broker.ts';
import { type BrokerContext, openBroker } from '../../../src/enforcement/broker/open-broker.ts';
import { relayToBroker } from '../../../src/enforcement/broker/relay-to-broker.ts';
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

/** Sends bytes, hangs up, and hears what comes back. */
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

it('what is asked through the socket is answered through it, as often as one likes', async () => {
  const { socket } = await broker(echo);
  const answers = await Promise.all(Array.from({ length: 20 }, () => askBroker(socket, QUESTION)));
  expect(new Set(answers.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ exitCode: 2, stdout: QUESTION.payload, stderr: 'claude\n' })]),
  );
});

it('a question as large as a file that an agent writes is answered too', async () => {
  const { socket } = await broker(echo);
  const payload = 'x'.repeat(5_000_000);
  expect((await askBroker(socket, { ...QUESTION, payload })).stdout).toBe(payload);
});

it('who asks on and on is heard once, and who asks too often at once keeps nobody else from it for long', async () => {
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

it('nobody but its person can reach the socket, and it is gone when it is closed', async () => {
  const { socket, dataFolder, close } = await broker(echo);
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(statSync(join(dataFolder, 'run')).mode & 0o777).toBe(0o700);
  await close();
  expect(existsSync(socket)).toBe(false);
  await expect(askBroker(socket, QUESTION)).rejects.toThrow(Error);
});

it('a data folder may lie deeper than the address of a socket is long', async () => {
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
])('%s has no answer, and the next question has one', async (_name, bytes) => {
  const { socket } = await broker(echo);
  expect(await send(socket, bytes)).toBe('');
  expect((await askBroker(socket, QUESTION)).exitCode).toBe(2);
});

it('an answer that fails, cannot be read or does not come is a failure to whoever asked', async () => {
  const failing = await broker(() => Promise.reject(new Error('broken')));
  await expect(askBroker(failing.socket, QUESTION)).rejects.toThrow(Error);
  const odd = await broker(async () => ({ exitCode: 0 }) as never);
  await expect(askBroker(odd.socket, QUESTION)).rejects.toThrow(Error);
  const silent = await broker(() => new Promise(() => {}));
  await expect(askBroker(silent.socket, QUESTION, 50)).rejects.toThrow(Error);
});

it('a socket that whoever asks could have made itself is none', async () => {
  const { dataFolder } = await broker(echo);
  expect(findBroker({ GUARDKIT_HOME: dataFolder })).toBeUndefined();
  expect(findBroker({ GUARDKIT_HOME: 'not/absolute' })).toBeUndefined();
  expect(findBroker({ GUARDKIT_HOME: join(dataFolder, 'absent') })).toBeUndefined();
});

it('what a killed process left is cleared away', async () => {
  const dataFolder = temporaryFolder();
  mkdirSync(join(dataFolder, 'run'));
  writeFileSync(join(dataFolder, 'run', '999999999-one.sock'), '');
  await broker(echo, dataFolder);
  expect(readdirSync(join(dataFolder, 'run'))).toEqual([`${process.pid}-one.sock`]);
});

it('who asks for tools speaks with their server on the same connection, from its second line on', async () => {
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
  // Also where both come at once.
  expect(await send(opened.socket, '{"kind":"tools"}\nat once\n')).toBe('at once\n');
});

it('where there are no tools, who asks for them is hung up on', async () => {
  const { socket } = await broker(echo);
  expect(await send(socket, '{"kind":"tools"}\n{"jsonrpc":"2.0"}\n')).toBe('');
  await relayToBroker(socket, new PassThrough(), new PassThrough());
  expect((await askBroker(socket, QUESTION)).exitCode).toBe(2);
});
