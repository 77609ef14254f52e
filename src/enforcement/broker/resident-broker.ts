import { guardkitHome } from '../../platform/guardkit-home.ts';
import { agentsSocket } from './broker-socket.ts';
import { requireSetUp } from './run-for-agent.ts';
import { findServer, ownBuild } from './server-record.ts';

/** The running broker, for a command of an agent whose commands are not wrapped. Undefined if the command runs by itself. */
export function findResidentBroker(env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  try {
    const dataFolder = guardkitHome(env);
    if (findServer(dataFolder)?.build !== ownBuild()) return undefined;
    requireSetUp({ dataFolder }, cwd);
    return agentsSocket(dataFolder);
  } catch {
    // Safe: the command runs by itself, and reports what is wrong with the data folder or the project.
    return undefined;
  }
}
