import { effect, signal } from '@preact/signals';
import { project } from './addresses.ts';
import { access, request } from './api.ts';

/** Counts up when the project's ledger has new entries; views then read again. */
export const changes = signal(0);
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

const FIRST_WAIT_MS = 300;
const MAX_WAIT_MS = 5000;
/** A build writes several entries a second. */
const GATHER_MS = 600;

let isGathering = false;

function changed(): void {
  if (isGathering) return;
  isGathering = true;
  setTimeout(() => {
    isGathering = false;
    changes.value += 1;
  }, GATHER_MS);
}

/** Follows the ledger of the shown project. A hidden tab closes its stream: browsers allow six per host. */
export function followChanges(): void {
  const visible = signal(!document.hidden);
  document.addEventListener('visibilitychange', () => {
    visible.value = !document.hidden;
  });
  let lastProject: string | undefined;
  let lastId: string | undefined;
  effect(() => {
    const name = project.value;
    if (name === undefined || !visible.value || access.value !== 'signed-in') return undefined;
    if (name !== lastProject) lastId = undefined;
    lastProject = name;
    const abort = new AbortController();
    void follow(
      name,
      () => lastId,
      (id) => {
        lastId = id;
      },
      abort.signal,
    );
    return () => abort.abort();
  });
}

async function follow(
  name: string,
  lastId: () => string | undefined,
  keep: (id: string) => void,
  abort: AbortSignal,
): Promise<void> {
  let wait = FIRST_WAIT_MS;
  while (!abort.aborted) {
    try {
      const id = lastId();
      const headers: Record<string, string> = id === undefined ? {} : { 'Last-Event-ID': id };
      const response = await request(`/api/events?${new URLSearchParams({ project: name })}`, headers, abort);
      if (response.status === 401) return;
      if (response.ok && response.body) {
        connection.value = 'live';
        wait = FIRST_WAIT_MS;
        // The views may have failed to read while the server was away.
        if (id !== undefined) changed();
        await readStream(response.body, keep);
      }
    } catch {
      // Safe: tried again below.
    }
    if (abort.aborted) return;
    connection.value = 'lost';
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(MAX_WAIT_MS, wait * 2);
  }
}

async function readStream(body: ReadableStream<Uint8Array>, keep: (id: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const events = rest.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const id = /^id: (\d+)$/m.exec(event)?.[1];
      if (id !== undefined) keep(id);
      if (!event.startsWith('event: start\n')) changed();
    }
  }
}
