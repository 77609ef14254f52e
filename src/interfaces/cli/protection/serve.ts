import * as z from 'zod';
import { readProjectConfig } from '../../../config/project/project-config.ts';
import { serveSettings } from '../../../config/project/serve-config.ts';
import type { BrokerEnd } from '../../../enforcement/broker/serve-agents.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import { guardkitHome } from '../../../platform/guardkit-home.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';

export const serve = defineCommand({
  name: 'serve',
  summary: 'Run the resident process that answers hooks',
  options: [['--stop', 'Stop it once its current work is done']],
  schema: z.object({ stop: z.boolean().default(false) }),
  run: (context, { stop }) => (stop ? runStop(context) : runServer(context)),
});

async function runStop({ env }: CliContext): Promise<Report> {
  const { stopServer } = await import('../../../enforcement/broker/stop-server.ts');
  const server = await stopServer(guardkitHome(env));
  return {
    json: { stopped: server?.pid ?? null },
    text: server
      ? `Process ${server.pid} has ended. The next session of an agent starts another.`
      : 'No resident process is running.',
  };
}

const ENDS: Readonly<Record<BrokerEnd, string>> = {
  'another-runs': 'Another process already serves this data folder. End it with `guardkit serve --stop`.',
  idle: 'Ended: it was idle.',
  removed: 'Ended: its data folder or socket does not exist. `guardkit init` creates the folder.',
  replaced: 'Ended: GuardKit or Node was upgraded.',
  retired: 'Ended after its last client.',
  signal: 'Ended by a signal.',
};

async function runServer({ cwd, env, serve: start, progress }: CliContext): Promise<Report> {
  const root = findGitFolder(cwd)?.root;
  const config = root === undefined ? undefined : await readProjectConfig(root);
  const idleMs = config?.ok ? serveSettings(config.value.serve).idleMs : undefined;
  progress(`Starting process ${process.pid} to answer the hooks of agents. End it with Ctrl-C.`);
  const end = await start({ dataFolder: guardkitHome(env), env, idleMs });
  return {
    json: { ended: end },
    text: ENDS[end],
    exitCode: end === 'another-runs' || end === 'removed' ? 1 : 0,
  };
}
