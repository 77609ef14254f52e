import { hooksSocket, whyNoClient } from '../install/hook-client.ts';
import { findServer, ownBuild } from './server-record.ts';

/** Which process answers a project's hooks. */
export interface ServerStatus {
  /** The resident process answers them; otherwise each hook starts a program of its own. */
  answers: boolean;
  code: 'answers' | 'off' | 'no-client' | 'no-sandbox' | 'not-running' | 'cannot-listen' | 'other-build';
  /** Null if it answers. */
  why: string | null;
  /** Null if none runs. It also runs GuardKit's commands for wrapped agents. */
  process: { pid: number; since: string; version: string; socket: string } | null;
}

export interface ServerQuestion {
  /** By the project's configuration. */
  on: boolean;
  /** Agents' commands run in a sandbox. */
  wrapped: boolean;
}

export function serverStatus(dataFolder: string, asked: ServerQuestion): ServerStatus {
  const server = findServer(dataFolder);
  const process = server && {
    pid: server.pid,
    since: server.since,
    version: server.version,
    socket: hooksSocket(dataFolder),
  };
  const no = (code: ServerStatus['code'], why: string): ServerStatus => ({
    answers: false,
    code,
    why,
    process: process ?? null,
  });
  if (!asked.on) return no('off', 'serve is off in .guardkit/config.yaml');
  const client = whyNoClient();
  if (client !== undefined) return no('no-client', client);
  if (!asked.wrapped)
    return no('no-sandbox', 'without a sandbox an agent could take the resident process’s place');
  if (!server || !process)
    return no('not-running', 'no resident process is running; the next session starts one');
  if (server.noHooks !== '') return no('cannot-listen', server.noHooks);
  if (server.build !== ownBuild())
    return no('other-build', `process ${server.pid} belongs to another installation (${server.version})`);
  return { answers: true, code: 'answers', why: null, process };
}
