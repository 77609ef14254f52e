import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { DOCTOR_SESSION } from '../../domain/doctor-session.ts';
import { runProcess } from '../../platform/processes/run-process.ts';
import { withoutLoaders } from '../install/hook-launcher.ts';
import { isOwnPlugin } from '../install/opencode-plugin.ts';
import { OPENCODE_PLUGIN, pluginForms, pluginOf } from '../install/wire-opencode.ts';
import { type AgentContext, type DoctorCheck, REFUSES_ALL } from './doctor-check.ts';

const HINT = 'Run `guardkit doctor --fix`.';
const TIMEOUT_MS = 120_000;

/** Checks for OpenCode, if GuardKit's plugin is installed here: the file, the environment, and the plugin at work. */
export async function examineOpencode(context: AgentContext): Promise<DoctorCheck[]> {
  const found = pluginOf(context.root);
  if (found === undefined || !isOwnPlugin(found)) return [];
  const id = 'opencode-settings';
  // A changed plugin is not run: it is not known what it does.
  if (!pluginForms(context.dataFolder).includes(found))
    return [{ id, outcome: 'fail', found: `${OPENCODE_PLUGIN} was changed`, hint: HINT }];
  return [
    { id, outcome: 'pass', found: `GuardKit’s plugin in ${OPENCODE_PLUGIN}` },
    ...examineEnvironment(context.env),
    await prove(context),
  ];
}

/** Variables with which OpenCode loads no plugins of a project. */
const SWITCHES = ['OPENCODE_PURE', 'OPENCODE_DISABLE_PROJECT_CONFIG'];

function examineEnvironment(env: NodeJS.ProcessEnv): DoctorCheck[] {
  const set = SWITCHES.filter((name) => ['1', 'true'].includes(env[name]?.toLowerCase() ?? ''));
  if (set.length === 0) return [];
  return [
    {
      id: 'opencode-trust',
      outcome: 'fail',
      code: 'hooks-off',
      found: `with ${set.join(' and ')}, OpenCode does not load GuardKit’s plugin`,
      hint: `Remove ${set.join(' and ')} from your environment.`,
    },
  ];
}

const CALLS = [
  { tool: 'write', args: { filePath: OPENCODE_PLUGIN, content: '' }, shown: `write ${OPENCODE_PLUGIN}` },
  { tool: 'bash', args: { command: 'git status' }, shown: 'git status' },
];

/** Loads the plugin as OpenCode does, and reports which calls it refuses. */
const PROBE = `
const [, plugin, directory, sessionID, calls] = process.argv;
const { GuardKit } = await import(plugin);
const hooks = await GuardKit({ directory });
const refused = [];
for (const [index, { tool, args }] of JSON.parse(calls).entries()) {
  const call = { tool, sessionID, callID: 'doctor-' + index };
  try {
    await hooks['tool.execute.before'](call, { args });
    refused.push(false);
    await hooks['tool.execute.after']({ ...call, args }, {});
  } catch {
    refused.push(true);
  }
}
await hooks.dispose();
process.stdout.write(JSON.stringify(refused));
`;

async function prove({ root, env }: AgentContext): Promise<DoctorCheck> {
  const id = 'opencode-hooks';
  const plugin = pathToFileURL(join(root, OPENCODE_PLUGIN)).href;
  const session = `${DOCTOR_SESSION}${randomUUID()}`;
  const { stdout } = await runProcess(
    process.execPath,
    ['--input-type=module', '-e', PROBE, plugin, root, session, JSON.stringify(CALLS)],
    { cwd: root, env: withoutLoaders(env), timeoutMs: TIMEOUT_MS },
  );
  const refused = readRefused(stdout);
  const lines = CALLS.flatMap(({ shown }, index) => [
    `tried     ${shown}`,
    `answered  ${refused === undefined ? 'failed' : refused[index] ? 'refused' : 'allowed'}`,
  ]);
  if (!refused?.[0])
    return {
      id,
      outcome: 'fail',
      code: 'not-refused',
      found: 'a forbidden edit was NOT refused',
      lines,
      hint: HINT,
    };
  if (refused[1])
    return {
      id,
      outcome: 'fail',
      code: REFUSES_ALL,
      found: 'OpenCode’s plugin refuses everything, because GuardKit cannot judge',
      lines,
      hint: HINT,
    };
  return { id, outcome: 'pass', found: 'working: a forbidden edit was just refused', lines };
}

function readRefused(stdout: string): boolean[] | undefined {
  try {
    return z.tuple([z.boolean(), z.boolean()]).parse(JSON.parse(stdout));
  } catch {
    // Safe: reported as a failure. OpenCode runs without a plugin that does not load.
    return undefined;
  }
}
