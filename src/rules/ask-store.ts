import type { StoreSettings } from '../config/project/workspace.ts';
import type { EpisodeStore } from '../store/episode-store.ts';
import { openStore } from '../store/open-store.ts';

/** After this long, built-in values are used: the store may never answer. */
const PATIENCE_MS = 1500;
const BUSY_TIMEOUT_MS = 1000;

export type StoreAnswer<Value> = { ok: true; value: Value } | { ok: false; why: string };

/**
 * Open stores on servers, by their settings. Connecting takes longer than most questions, and a build asks in every turn.
 * Nobody has to close them: idle connections end by themselves, and keep no process alive.
 */
const connected = new Map<string, Promise<EpisodeStore>>();

/** Runs a query; an unavailable store is a result, not an error. */
export async function askStore<Value>(
  settings: StoreSettings,
  ask: (store: EpisodeStore) => Promise<Value>,
): Promise<StoreAnswer<Value>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer from the store within ${PATIENCE_MS} ms`)),
      PATIENCE_MS,
    );
  });
  const answer = settings.url === undefined ? openAndAsk(settings, ask) : connectAndAsk(settings, ask);
  try {
    return { ok: true, value: await Promise.race([answer, late]) };
  } catch (error) {
    connected.delete(JSON.stringify(settings));
    // Safe: every caller has a fallback and shows the reason.
    return { ok: false, why: inOneLine(error instanceof Error ? error.message : String(error)) };
  } finally {
    clearTimeout(timer);
  }
}

async function connectAndAsk<Value>(
  settings: StoreSettings,
  ask: (store: EpisodeStore) => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify(settings);
  const opening = connected.get(key) ?? open(settings);
  connected.set(key, opening);
  return ask(await opening);
}

async function openAndAsk<Value>(
  settings: StoreSettings,
  ask: (store: EpisodeStore) => Promise<Value>,
): Promise<Value> {
  const store = await open(settings);
  try {
    return await ask(store);
  } finally {
    await store.close();
  }
}

function open(settings: StoreSettings): Promise<EpisodeStore> {
  return openStore({ ...settings, busyTimeoutMs: BUSY_TIMEOUT_MS, answerTimeoutMs: PATIENCE_MS });
}

function inOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
