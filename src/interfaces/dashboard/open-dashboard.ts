import { request as httpRequest } from 'node:http';
import * as z from 'zod';
import { shortAddress } from '../../enforcement/broker/broker-socket.ts';
import { startBroker } from '../../enforcement/broker/start-broker.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { dashboardFolder } from './access.ts';
import { ANY_PORT, serviceSocket } from './dashboard-service.ts';
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

const MAX_WAIT_MS = 15_000;

const openedSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened'), port: z.int() }),
  z.object({ type: z.literal('failed'), code: z.string(), message: z.string(), hint: z.string() }),
]);

/** Asks the resident process to serve the dashboard, and returns its port; undefined if it does not answer. */
export async function askService(dataFolder: string, port: number | undefined): Promise<number | undefined> {
  const text = await ask(serviceSocket(dataFolder), port === undefined ? ANY_PORT : `/${port}`);
  if (text === undefined) return undefined;
  const opened = openedSchema.parse(JSON.parse(text));
  if (opened.type === 'opened') return opened.port;
  const { code, message, hint } = opened;
  throw new GuardKitError({ code, kind: 'outside', message, hint });
}

function ask(socket: string, path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { address, release } = shortAddress(socket);
    const asked = httpRequest({ socketPath: address, path, timeout: MAX_WAIT_MS }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : undefined);
    });
    asked.on('timeout', () => asked.destroy());
    // Safe: this process then serves the dashboard itself.
    asked.on('error', () => resolve(undefined));
    asked.on('close', release);
    asked.end();
  });
}
