import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import type { DashboardAccess } from './access.ts';
import type { ReadAnswer, ReadRequest } from './api/read-request.ts';
import { isAsset, SAFE_HEADERS, sendAsset } from './assets.ts';
import type { LedgerEvent, LedgerWatch } from './ledger-watch.ts';

const MAX_URL = 4096;
const MAX_BODY_BYTES = 1024;
export const MAX_STREAMS = 200;
/** The page sends its session's token in it. A cookie would reach every server on this machine, on any port. */
export const TOKEN_HEADER = 'x-guardkit-session';

export interface RequestContext {
  access: DashboardAccess;
  watch: LedgerWatch;
  read(request: ReadRequest): Promise<ReadAnswer>;
  /** Open event streams. */
  streams: Set<ServerResponse>;
}

const ticketSchema = z.strictObject({ ticket: z.string().max(100) });
const projectSchema = z.string().min(1).max(200);

export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  const { method = '', url = '', headers } = request;
  if (url.length > MAX_URL) return refuse(response, 414, 'dashboard.url-too-long');
  const [path = '', query = ''] = split(url);
  const isData = path.startsWith('/api/');
  const refused = refusedStatus(headers, isData);
  if (refused !== undefined)
    return refuse(response, refused, refused === 421 ? 'dashboard.host' : 'dashboard.origin');
  if (isAsset(path)) {
    if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'dashboard.method');
    return sendAsset(response, path, method === 'GET');
  }
  if (path === '/api/session') return beginSession(request, response, context);
  if (!isData) return refuse(response, 404, 'dashboard.unknown-path');
  if (!context.access.isSession(headers[TOKEN_HEADER])) return refuse(response, 401, 'dashboard.no-session');
  if (method !== 'GET') return refuse(response, 405, 'dashboard.method');
  const parameters = Object.fromEntries(new URLSearchParams(query));
  if (path === '/api/events') return serveEvents(request, response, context, parameters);
  const { status, body } = await context.read({ name: path.slice('/api/'.length), parameters });
  sendJson(response, status, body);
}

async function beginSession(
  request: IncomingMessage,
  response: ServerResponse,
  { access }: RequestContext,
): Promise<void> {
  if (request.method !== 'POST') return refuse(response, 405, 'dashboard.method');
  const text = await readBody(request);
  if (text === undefined) return refuse(response, 413, 'dashboard.body-too-large');
  const asked = ticketSchema.safeParse(parseJson(text));
  if (!asked.success) return refuse(response, 400, 'dashboard.body');
  const session = access.exchange(asked.data.ticket);
  if (session === undefined) return refuse(response, 401, 'dashboard.ticket');
  sendJson(response, 200, JSON.stringify({ session }));
}

async function serveEvents(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { streams, watch }: RequestContext,
  parameters: Record<string, string>,
): Promise<void> {
  const project = projectSchema.safeParse(parameters.project);
  const last = headers['last-event-id'];
  if (!project.success || (last !== undefined && !/^\d{1,15}$/.test(String(last))))
    return refuse(response, 400, 'dashboard.parameters');
  if (streams.size >= MAX_STREAMS) return refuse(response, 503, 'dashboard.streams');
  streams.add(response);
  try {
    await streamEvents(response, watch, project.data, last === undefined ? undefined : Number(last));
  } finally {
    streams.delete(response);
  }
}

/** Path and query, not decoded: only exact paths are served. */
function split(url: string): [path: string, query: string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

const MESSAGES: Readonly<Record<string, string>> = {
  'dashboard.host': 'This server answers only on localhost.',
  'dashboard.origin': 'Another page asked for this data.',
  'dashboard.no-session': 'No valid session. Run `guardkit ui` to open the dashboard.',
  'dashboard.ticket': 'This link was used before or is too old. Run `guardkit ui` for a new one.',
  'dashboard.streams': `At most ${MAX_STREAMS} event streams can be open at a time.`,
};

function refuse(response: ServerResponse, status: number, code: string): void {
  sendJson(response, status, JSON.stringify({ error: { code, message: MESSAGES[code] ?? code, hint: '' } }));
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    // The rest of a refused request is not read.
    ...(status === 413 ? { Connection: 'close' } : {}),
  });
  response.end(body);
}

/** Undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of request) {
    total += chunk.length;
    if (total > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Safe: no schema accepts undefined.
    return undefined;
  }
}

/** Any port: a page may be reached through `ssh -L`. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const HOST = /^(\[[0-9a-f:]{2,45}\]|[a-z0-9.-]{1,253})(?::\d{1,5})?$/i;

/**
 * The status to refuse a request with; undefined to serve it. A page of another site can resolve its own name to this
 * machine, so the name is checked, and another page on this machine must not read ours.
 */
function refusedStatus(headers: IncomingHttpHeaders, isData: boolean): 421 | 403 | undefined {
  if (!isLoopback(headers.host)) return 421;
  const { origin } = headers;
  if (origin !== undefined && !(origin.startsWith('http://') && isLoopback(origin.slice('http://'.length))))
    return 403;
  // A link from elsewhere may open the page, but never read its data.
  return isData && headers['sec-fetch-site'] === 'cross-site' ? 403 : undefined;
}

function isLoopback(host: string | undefined): boolean {
  const name = HOST.exec(host ?? '')?.[1];
  return name !== undefined && LOOPBACK.has(name.toLowerCase());
}

/** More than this, and the page reads everything again. */
const MAX_MISSED = 1000;
/** A reader this far behind is cut off; it reconnects and continues where it was. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Streams a project's new ledger entries until the client hangs up. The id of an event is the entry's number, so that a
 * client that reconnects with `Last-Event-ID` misses nothing and gets nothing twice.
 */
function streamEvents(
  response: ServerResponse,
  watch: LedgerWatch,
  project: string,
  lastId: number | undefined,
): Promise<void> {
  response.writeHead(200, { ...SAFE_HEADERS, 'Content-Type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  const send = (text: string) => {
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
    else response.write(text);
  };
  const listener = (events: readonly LedgerEvent[]) => send(events.map(formatEvent).join(''));
  const head = watch.follow(project, listener);
  if (lastId === undefined) send(`event: start\nid: ${head}\ndata: {"number":${head}}\n\n`);
  else if (lastId > head || head - lastId > MAX_MISSED)
    send(`event: reset\nid: ${head}\ndata: {"number":${head}}\n\n`);
  else listener(watch.between(project, lastId, head));
  return new Promise((resolve) => {
    response.once('close', () => {
      watch.unfollow(project, listener);
      resolve();
    });
  });
}

function formatEvent(event: LedgerEvent): string {
  // One line: JSON escapes line breaks.
  return `event: entry\nid: ${event.number}\ndata: ${JSON.stringify(event)}\n\n`;
}
