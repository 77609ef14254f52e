import { ReadWorker } from './read-worker.ts';
import { runningPort } from './server-file.ts';
import { dashboardUrl, startDashboard } from './start-dashboard.ts';

/** The dashboard of a data folder: served by a running process if there is one, else by this one. */
export async function openDashboard({
  dataFolder,
  port,
}: {
  dataFolder: string;
  port: number | undefined;
}): Promise<{ url: string; close: (() => Promise<void>) | undefined }> {
  const running = runningPort(dataFolder);
  if (running !== undefined && (port === undefined || port === running))
    return { url: dashboardUrl(dataFolder, running), close: undefined };
  const worker = new ReadWorker(dataFolder);
  const dashboard = await startDashboard({ dataFolder, port, read: (request) => worker.read(request) });
  return {
    url: dashboardUrl(dataFolder, dashboard.port),
    close: async () => {
      await dashboard.close();
      worker.close();
    },
  };
}
