import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { openWorkspace } from '../../config/project/workspace.ts';
import { END_OF_WORK } from '../../platform/processes/end-of-work.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';
import { openStore } from '../../store/open-store.ts';
import { answerRead } from './api/answer-read.ts';
import type { CommandResult, ReadContext } from './api/read-context.ts';
import type { ReadRequest } from './api/read-request.ts';

export type RunCommand = (args: readonly string[], cwd: string) => Promise<CommandResult>;

/** For all reads of a thread: ledger and memory are opened once. */
export function readContext(
  dataFolder: string,
  run: RunCommand,
  env: NodeJS.ProcessEnv = process.env,
): ReadContext & { close(): Promise<void> } {
  let ledger: Ledger | undefined;
  const stores = new Map<string, Promise<EpisodeStore>>();
  const path = join(dataFolder, 'ledger.db');
  return {
    dataFolder,
    run,
    ledger() {
      if (!ledger && existsSync(path)) ledger = openLedger({ path });
      return ledger;
    },
    async store(checkout) {
      if (checkout === undefined) return undefined;
      const { store: settings } = await openWorkspace(checkout, { ...env, GUARDKIT_HOME: dataFolder });
      // Reading must not create a store.
      if (settings.url === undefined && !existsSync(settings.path)) return undefined;
      const key = JSON.stringify(settings);
      const opened = stores.get(key) ?? openStore(settings);
      stores.set(key, opened);
      // A server that was away is asked again.
      opened.catch(() => stores.delete(key));
      return opened;
    },
    async close() {
      ledger?.close();
      for (const opened of await Promise.allSettled(stores.values()))
        if (opened.status === 'fulfilled') await opened.value.close();
    },
  };
}

/** In a worker thread: answers reads, so that long ones do not delay hooks. */
export function answerReads(port: MessagePort, dataFolder: string, run: RunCommand): void {
  const context = readContext(dataFolder, run);
  port.on('message', (message: { id: number; request: ReadRequest } | typeof END_OF_WORK) => {
    if (message === END_OF_WORK) {
      void context.close().finally(() => port.close());
      return;
    }
    const { id, request } = message;
    void answerRead(request, context).then((answer) => port.postMessage({ id, answer }));
  });
}
