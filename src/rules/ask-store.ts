import type { StoreSettings } from '../config/project/workspace.ts';
import type { EpisodeStore } from '../store/episode-store.ts';
import { openStore } from '../store/open-store.ts';

/** After this long, built-in values are used: the store may never answer. */
const PATIENCE_MS = 1500;
const BUSY_TIMEOUT_MS = 1000;

export type StoreAnswer<Value> = { ok: true; value: Value } | { ok: false; why: string };

/** Opens the store, runs a query and closes it; an unavailable store is a result, not an error. */
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
  try {
    return { ok: true, value: await Promise.race([openAndAsk(settings, ask), late]) };
  } catch (error) {
    // Safe: every caller has a fallback and shows the reason.
    return { ok: false, why: inOneLine(error instanceof Error ? error.message : String(error)) };
  } finally {
    clearTimeout(timer);
  }
}

async function openAndAsk<Value>(
  settings: StoreSettings,
  ask: (store: EpisodeStore) => Promise<Value>,
): Promise<Value> {
  const store = await openStore({
    ...settings,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    answerTimeoutMs: PATIENCE_MS,
  });
  try {
    return await ask(store);
  } finally {
    await store.close();
  }
}

function inOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
