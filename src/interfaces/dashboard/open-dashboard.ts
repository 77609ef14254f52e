import { startBroker } from '../../enforcement/broker/start-broker.ts';
import { dashboardFolder } from './access.ts';
import { askService } from './ask-service.ts';
import { ReadWorkers } from './read-worker.ts';
import { runningPort } from './server-file.ts';
import { dashboardUrl, startDashboard } from './start-dashboard.ts';

/** The dashboard of a data folder: served by the resident process, or by this one where that cannot run. */
export async function openDashboard({
  dataFolder,
  env,
  port,
}: {
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  port: number | undefined;
}): Promise<{ url: string; close: (() => Promise<void>) | undefined }> {
  dashboardFolder(dataFolder);
  const served =
    ((await startBroker(dataFolder, env)) ? await askService(dataFolder, port) : undefined) ??
    usable(runningPort(dataFolder), port);
  if (served !== undefined) return { url: dashboardUrl(dataFolder, served), close: undefined };
  const workers = new ReadWorkers(dataFolder);
  const dashboard = await startDashboard({ dataFolder, port, read: (request) => workers.read(request) });
  return {
    url: dashboardUrl(dataFolder, dashboard.port),
    close: async () => {
      await dashboard.close();
      await workers.close();
    },
  };
}

function usable(running: number | undefined, wanted: number | undefined): number | undefined {
  return wanted === undefined || running === wanted ? running : undefined;
}
