import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { runCaptured } from '../../../src/interfaces/cli/program/run-captured.ts';
import { readContext } from '../../../src/interfaces/dashboard/answer-reads.ts';
import { answerRead } from '../../../src/interfaces/dashboard/api/answer-read.ts';
import { dashboardUrl, startDashboard } from '../../../src/interfaces/dashboard/start-dashboard.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A dashboard of its own, with a session. */
export async function serveDashboard(dataFolder = temporaryFolder()) {
  const env = { PATH: process.env.PATH, HOME: dataFolder, GUARDKIT_HOME: dataFolder };
  const context = readContext(dataFolder, (args, cwd) => runCaptured(args, { cwd, env }), env);
  const dashboard = await startDashboard({ dataFolder, read: (asked) => answerRead(asked, context) });
  onTestFinished(async () => {
    await dashboard.close();
    await context.close();
  });
  const { port } = dashboard;
  const ask = (path: string, asked: Asked = {}) => send(port, path, asked);
  const ticket = new URL(dashboardUrl(dataFolder, port)).hash.slice('#ticket='.length);
  const { session } = JSON.parse((await signIn(port, ticket)).text);
  const headers = { 'x-guardkit-session': session };
  return {
    dataFolder,
    port,
    dashboard,
    ticket,
    session: session as string,
    ask,
    read: (path: string) => ask(path, { headers }),
  };
}

export function signIn(port: number, ticket: string): Promise<Answer> {
  return send(port, '/api/session', { method: 'POST', body: JSON.stringify({ ticket }) });
}

/** Not `fetch`, which sets Host and Origin itself. */
export function send(port: number, path: string, { method, headers, body }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
