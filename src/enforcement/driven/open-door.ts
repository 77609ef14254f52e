import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findAgentHooks } from '../agents/agent-hooks.ts';
import { openBroker } from '../broker/open-broker.ts';
import { answerHook, refusal } from '../hooks/answer-hook.ts';
import type { HookAnswer, HookEvent } from '../hooks/hook-event.ts';
import { launcherPath } from '../install/launcher.ts';
import { packageFolder } from '../install/own-package.ts';
import type { ToolServers } from './tool-servers.ts';

/** The way from inside a sandbox to the GuardKit that runs an agent there. */
export interface Door {
  /** What the sandbox has to show for it. */
  shown: string[];
  close(): Promise<void>;
}

/** For an agent that brings hooks of its own: they are answered here, where the ledger is. */
export async function openDoor(
  dataFolder: string,
  handle: (event: HookEvent) => Promise<HookAnswer>,
  tools?: ToolServers,
): Promise<Door> {
  const { socket, close } = await openBroker({
    dataFolder,
    name: randomBytes(4).toString('hex'),
    serveTools: tools && ((connection) => tools.serve(connection)),
    async answer({ agent: name, payload }) {
      const agent = findAgentHooks(name);
      if (!agent) return refusal(`GuardKit does not know the hooks of ${name}, so it is refused.`);
      // Of its environment nothing counts: whatever the agent says of it, nobody is there to be asked.
      return answerHook({ agent, payload: () => payload, env: {}, handle });
    },
  });
  return {
    shown: [socket, ...hookParts(dataFolder).filter((path) => existsSync(path))],
    async close() {
      await close();
      await tools?.end();
    },
  };
}

/** What a hook is made of; GuardKit may itself be installed where a sandbox shows nothing. */
function hookParts(dataFolder: string): string[] {
  const folder = packageFolder();
  return [
    dirname(launcherPath(dataFolder)),
    process.execPath,
    join(folder, 'dist'),
    join(folder, 'package.json'),
  ];
}
