import type { ServerResponse } from 'node:http';
import { SAFE_HEADERS } from './assets.ts';
import type { LedgerEvent, LedgerWatch } from './ledger-watch.ts';

/** More than this, and the page reads everything again. */
const MAX_MISSED = 1000;
/** A reader this far behind is cut off; it reconnects and continues where it was. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Streams a project's new ledger entries until the client hangs up. The id of an event is the entry's number, so that a
 * client that reconnects with `Last-Event-ID` misses nothing and gets nothing twice.
 */
export function streamEvents(
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
