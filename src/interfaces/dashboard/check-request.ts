import type { IncomingHttpHeaders } from 'node:http';

/** Any port: a page may be reached through `ssh -L`. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const HOST = /^(\[[0-9a-f:]{2,45}\]|[a-z0-9.-]{1,253})(?::\d{1,5})?$/i;

/**
 * The status to refuse a request with; undefined to serve it. A page of another site can resolve its own name to this
 * machine, so the name is checked, and another page on this machine must not read ours.
 */
export function refusedStatus(headers: IncomingHttpHeaders, isData: boolean): 421 | 403 | undefined {
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
