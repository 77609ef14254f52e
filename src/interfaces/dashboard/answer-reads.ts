import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { END_OF_WORK } from '../../platform/processes/end-of-work.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';
import { answerRead } from './api/answer-read.ts';
import type { CommandResult, ReadContext } from './api/read-context.ts';
import type { ReadRequest } from './api/read-request.ts';

export type RunCommand = (args: readonly string[], cwd: string) => Promise<CommandResult>;

/** For all reads of a thread: the ledger is opened once. */
export function readContext(dataFolder: string, run: RunCommand): ReadContext & { close(): void } {
  let ledger: Ledger | undefined;
  const path = join(dataFolder, 'ledger.db');
  return {
    dataFolder,
    run,
    ledger() {
      if (!ledger && existsSync(path)) ledger = openLedger({ path });
      return ledger;
    },
    close: () => ledger?.close(),
  };
}

/** In a worker thread: answers reads, so that long ones do not delay hooks. */
export function answerReads(port: MessagePort, dataFolder: string, run: RunCommand): void {
  const context = readContext(dataFolder, run);
  port.on('message', (message: { id: number; request: ReadRequest } | typeof END_OF_WORK) => {
    if (message === END_OF_WORK) {
      context.close();
      port.close();
      return;
    }
    const { id, request } = message;
    void answerRead(request, context).then((answer) => port.postMessage({ id, answer }));
  });
}
