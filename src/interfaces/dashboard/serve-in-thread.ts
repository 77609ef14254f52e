import type { MessagePort } from 'node:worker_threads';
import { GuardKitError } from '../../guardkit-error.ts';
import type { END_OF_WORK } from '../../platform/processes/end-of-work.ts';
import { ReadWorkers } from './read-worker.ts';
import { type Dashboard, startDashboard } from './start-dashboard.ts';

export type ThreadRequest =
  | { type: 'open'; port: number | undefined }
  | { type: 'retire' }
  | { type: typeof END_OF_WORK };

export type ThreadReport =
  | { type: 'opened'; port: number }
  | { type: 'failed'; code: string; message: string; hint: string }
  | { type: 'busy'; isBusy: boolean };

/** In a worker thread of the resident process: serves the dashboard, so that pages do not delay hooks. */
export function serveInThread(parent: MessagePort, dataFolder: string): void {
  const workers = new ReadWorkers(dataFolder);
  const report = (message: ThreadReport) => parent.postMessage(message);
  let current: Dashboard | undefined;

  const open = async (port: number | undefined): Promise<number> => {
    if (current && (port === undefined || port === current.port)) return current.port;
    const before = current;
    current = await startDashboard({
      dataFolder,
      port,
      read: (request) => workers.read(request),
      onBusy: (isBusy) => report({ type: 'busy', isBusy }),
    });
    await before?.close();
    return current.port;
  };

  const receive = async (request: ThreadRequest): Promise<void> => {
    if (request.type === 'open')
      return open(request.port).then(
        (port) => report({ type: 'opened', port }),
        (error: unknown) => report({ type: 'failed', ...described(error) }),
      );
    if (request.type === 'retire') return current?.retire();
    await current?.close();
    await workers.close();
    parent.close();
  };

  // One after the other: two requests to open must not open two.
  let last = Promise.resolve();
  parent.on('message', (request: ThreadRequest) => {
    last = last.then(() => receive(request));
  });
}

function described(error: unknown): { code: string; message: string; hint: string } {
  if (error instanceof GuardKitError)
    return { code: error.code, message: error.message, hint: error.hint ?? '' };
  return {
    code: 'dashboard.failed',
    message: error instanceof Error ? error.message : String(error),
    hint: '',
  };
}
