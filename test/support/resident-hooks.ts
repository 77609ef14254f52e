import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { hooksSocket } from '../../src/enforcement/install/hook-client.ts';
import { type HookServer, serveHooks } from '../../src/interfaces/serve/serve-hooks.ts';

/** `GUARDKIT_TEST_HOOKS=resident` sends every event of the hook and red-team suites through the resident process's part. */
export const THROUGH_RESIDENT = process.env.GUARDKIT_TEST_HOOKS === 'resident';

const BUILD = 'test';
/** Each has a thread of its own. */
const MAX_SERVERS = 3;
const servers = new Map<string, Promise<HookServer>>();

/** After each test file: files share loaded modules. */
export async function closeResidents(): Promise<void> {
  for (const server of servers.values()) await (await server).close();
  servers.clear();
}

interface AskedHook {
  agent: string;
  dataFolder: string;
  env: Record<string, string>;
  cwd: string;
  text: string;
}

interface HookTexts {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** As the launcher's client asks. */
export async function askResident({ agent, dataFolder, env, cwd, text }: AskedHook): Promise<HookTexts> {
  const asked = { agent, dataFolder, env, cwd, text };
  await serverOf(dataFolder);
  let answer = await exchangeHook(hooksSocket(dataFolder), asked);
  // `guardkit init` has started a real one, which took over the socket.
  if (answer.startsWith('HTTP/1.1 409 ')) {
    await (await servers.get(dataFolder))?.close();
    servers.delete(dataFolder);
    await serverOf(dataFolder);
    answer = await exchangeHook(hooksSocket(dataFolder), asked);
  }
  const [, rest = ''] =
    /^(?:HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n)*HTTP\/1\.1 200 [\s\S]*?\r\n\r\n([\s\S]*)$/.exec(answer) ?? [];
  const [, code, size, texts] = /^(\d+) (\d+)\n([\s\S]*)$/.exec(rest) ?? [];
  if (code === undefined || texts === undefined) throw new Error(`no answer: ${answer.slice(0, 200)}`);
  const bytes = Buffer.from(texts);
  const at = Number(size);
  return {
    exitCode: Number(code),
    stdout: bytes.toString('utf8', 0, at),
    stderr: bytes.toString('utf8', at),
  };
}

/** The whole answer to one event, as the client of a build asks. */
export function exchangeHook(
  socket: string,
  { agent, env, cwd, text }: AskedHook,
  build = BUILD,
): Promise<string> {
  const own = { build, cwd, parent: process.pid, event: randomUUID() };
  const body = [
    ...Object.entries(own).map(([name, value]) => `=${name}=${value}`),
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    '',
    text,
  ].join('\0');
  return exchange(
    socket,
    `POST /${agent} HTTP/1.1\r\nHost: guardkit\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

async function serverOf(dataFolder: string): Promise<HookServer> {
  const known = servers.get(dataFolder);
  if (known) return known;
  const [oldest] = servers.keys();
  if (oldest !== undefined && servers.size >= MAX_SERVERS) {
    const server = servers.get(oldest);
    servers.delete(oldest);
    await (await server)?.close();
  }
  const made = serveHooks({
    dataFolder,
    build: BUILD,
    count: (work) => work,
    check: () => {},
    noteIdle: () => {},
  });
  servers.set(dataFolder, made);
  return made;
}

function exchange(socket: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const connection = connect(socket);
    connection.on('error', reject);
    connection.on('data', (chunk) => chunks.push(chunk));
    connection.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    connection.write(text);
  });
}
