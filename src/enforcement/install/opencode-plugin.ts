import { OWN_PROMPT } from '../agents/shared-answers.ts';
import { sharedTimedHookCommand, type TimedHookCommand, timedHookCommand } from './hook-launcher.ts';

export interface PluginParts {
  commands: TimedHookCommand;
  /** Where the shell wrapper is: in this data folder, in each person's own, or nowhere (undefined). */
  wrapperIn: { dataFolder: string } | 'own-data-folder' | undefined;
  /** Variables for the agent's commands, besides OpenCode's own. */
  env?: Record<string, string>;
}

const MARK = '// Written by guardkit';

/** Whether a file is GuardKit's plugin, of any version. */
export function isOwnPlugin(text: string): boolean {
  return text.startsWith(MARK);
}

/** For one person. */
export function ownPluginText(dataFolder: string): string {
  return pluginText({ commands: timedHookCommand(dataFolder, 'opencode'), wrapperIn: { dataFolder } });
}

/** For a team. */
export function sharedPluginText(): string {
  return pluginText({ commands: sharedTimedHookCommand('opencode'), wrapperIn: 'own-data-folder' });
}

/**
 * A plugin that asks GuardKit before each action of OpenCode, and tells it what happened. It imports only modules of the
 * runtime, so that it loads without a package. If GuardKit does not answer properly, the action is refused.
 */
export function pluginText({ commands, wrapperIn, env = {} }: PluginParts): string {
  return `${MARK}. Asks GuardKit before each action of OpenCode; \`guardkit uninstall --agent opencode\` removes it.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const COMMANDS = ${JSON.stringify(commands, null, 2)};
const DATA_FOLDER = ${dataFolderText(wrapperIn)};
const COMMAND_VARIABLES = ${JSON.stringify(env)};
const OWN_PROMPT = ${JSON.stringify(OWN_PROMPT)};
${PLUGIN_BODY}`;
}

function dataFolderText(wrapperIn: PluginParts['wrapperIn']): string {
  if (wrapperIn === undefined) return 'undefined';
  if (wrapperIn === 'own-data-folder') return "process.env.GUARDKIT_HOME || join(homedir(), '.guardkit')";
  return JSON.stringify(wrapperIn.dataFolder);
}

const PLUGIN_BODY = String.raw`// Above the deadlines in the commands.
const SECONDS = 60;
const STOP_SECONDS = 3600;
const HELP = 'Ask the person to run guardkit doctor in a terminal.';

/** The program that runs commands in GuardKit's sandbox, if it is installed for this repository. */
function findWrapper(directory) {
  if (DATA_FOLDER === undefined) return undefined;
  try {
    const words = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
    const stdio = ['ignore', 'pipe', 'ignore'];
    const repository = execFileSync('git', words, { cwd: directory, encoding: 'utf8', stdio }).trim();
    const key = createHash('sha256').update(realpathSync(repository)).digest('hex').slice(0, 16);
    const folder = join(realpathSync(DATA_FOLDER), 'shell', key);
    const launcher = join(folder, 'guardkit-shell');
    const bash = join(folder, 'bash');
    for (const path of [launcher, bash]) accessSync(path, constants.X_OK);
    return { bash, prefix: launcher.includes(' -') ? launcher + ' --' : launcher };
  } catch {
    return undefined;
  }
}

/** Starts a hook. Resolves with its exit code and output. */
function start(command, payload, seconds, wrapper) {
  // OpenCode sets this variable for commands too, which may not answer for it.
  const { OPENCODE: _, ...env } = process.env;
  // GuardKit takes this variable as the wrapper in use, whichever agent it is.
  env.CLAUDE_CODE_SHELL_PREFIX = wrapper ? wrapper.prefix : '';
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd: payload.directory, env, detached: true });
    const output = { stdout: '', stderr: '' };
    const timer = setTimeout(() => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {}
    }, seconds * 1000);
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text;
      });
    child.on('error', (error) => resolve({ code: null, stdout: '', stderr: String(error) }));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...output });
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(payload));
  });
}

/** The answer of a hook. Throws if it refuses, or if it is not an answer. */
function read({ code, stdout, stderr }) {
  if (code !== 0) throw new Error(stderr.trim() || 'GuardKit could not judge this, so it is refused. ' + HELP);
  if (stdout.trim() === '') return {};
  let answer;
  try {
    answer = JSON.parse(stdout);
  } catch {}
  if (answer === null || typeof answer !== 'object' || ![undefined, 'deny'].includes(answer.decision))
    throw new Error('GuardKit gave a broken answer, so this is refused. ' + HELP);
  if (answer.decision === 'deny') throw new Error(answer.reason || 'GuardKit refused this. ' + HELP);
  return answer;
}

export const GuardKit = async ({ client, directory }) => {
  const wrapper = findWrapper(directory);
  const personsShell = process.env.SHELL;
  /** By session id: its first session, and the agent if it is a subagent. */
  const sessions = new Map();
  /** By first session: texts for the model, the last prompt, what the model said last. */
  const states = new Map();
  /** Calls that have begun, by id. */
  const open = new Map();

  const ask = async (command, payload, seconds = SECONDS) => {
    const answer = read(await start(command, { directory, ...payload }, seconds, wrapper));
    if (typeof answer.systemMessage === 'string') show(answer.systemMessage);
    return answer;
  };

  /** For events that nobody can block. */
  const tell = async (command, payload) => {
    try {
      return await ask(command, payload);
    } catch (error) {
      show('GuardKit hook failed: ' + error.message);
      return {};
    }
  };

  const show = (message) => {
    Promise.resolve(client?.tui?.showToast?.({ body: { message, variant: 'warning' } })).catch(() => {});
  };

  const find = async (id) => {
    try {
      return (await client.session.get({ path: { id } })).data ?? {};
    } catch {
      return {};
    }
  };

  const begin = async (id, agent) => {
    const { parentID, agent: own } = await find(id);
    if (typeof parentID === 'string') {
      const { session } = await sessionOf(parentID);
      const child = { id, agent: own ?? agent };
      await tell(COMMANDS.letting, { hook: 'subagent', session, child });
      return { session, child };
    }
    const { context } = await tell(COMMANDS.beginning, { hook: 'session', session: id });
    states.set(id, { began: context, prompt: undefined, said: '', held: false, aborted: false });
    return { session: id };
  };

  const sessionOf = (id, agent) => {
    const known = sessions.get(id) ?? begin(id, agent);
    sessions.set(id, known);
    return known;
  };

  const end = async (id) => {
    if (states.delete(id)) await tell(COMMANDS.letting, { hook: 'end', session: id });
  };

  /** Continues a session that may not stop yet, once. */
  const stop = async (id) => {
    const state = states.get(id);
    if (!state) return;
    const { held: again, said, aborted } = state;
    state.held = false;
    state.aborted = false;
    // The person interrupted it.
    if (aborted) return;
    try {
      await ask(COMMANDS.stopping, { hook: 'stop', session: id, again, said }, STOP_SECONDS);
    } catch (error) {
      if (again) return;
      state.held = true;
      const { agent, model } = state;
      const parts = [{ type: 'text', text: OWN_PROMPT + error.message }];
      await client.session.promptAsync({ path: { id }, body: { agent, model, parts } });
    }
  };

  const onEvent = async ({ type, properties = {} }) => {
    const { sessionID: id, part, info, error } = properties;
    if (type === 'message.part.updated' && part?.type === 'tool' && part.state?.status === 'error') {
      const call = open.get(part.callID);
      if (open.delete(part.callID))
        await tell(COMMANDS.letting, { ...call, hook: 'after', error: String(part.state.error) });
    }
    const state = states.get(part?.sessionID ?? id);
    if (type === 'message.part.updated' && part?.type === 'text' && part.time?.end && state) state.said = part.text;
    if (type === 'session.error' && error?.name === 'MessageAbortedError' && state) state.aborted = true;
    if (type === 'session.idle') await stop(id);
    if (type === 'session.deleted') await end(info?.id);
  };

  return {
    config: async (settings) => {
      if (wrapper) settings.shell = wrapper.bash;
    },
    'shell.env': async (_input, output) => {
      Object.assign(output.env, COMMAND_VARIABLES);
      if (wrapper && personsShell !== undefined) output.env.SHELL = personsShell;
    },
    'chat.message': async ({ sessionID, agent }, { message, parts }) => {
      const { session, child } = await sessionOf(sessionID, agent ?? message.agent);
      const state = states.get(session);
      if (child || !state) return;
      Object.assign(state, { agent: message.agent, model: message.model });
      const texts = parts.filter(({ type, synthetic }) => type === 'text' && !synthetic);
      const text = texts.map((part) => part.text).join('\n');
      state.prompt = (await tell(COMMANDS.letting, { hook: 'prompt', session, text })).context;
    },
    'experimental.chat.system.transform': async ({ sessionID }, output) => {
      const { session } = (await sessions.get(sessionID)) ?? {};
      const { began, prompt } = states.get(session) ?? {};
      output.system.push(...[began, prompt].filter((text) => typeof text === 'string'));
    },
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const call = { ...(await sessionOf(sessionID)), tool, call: callID, args };
      await ask(COMMANDS.refusing, { ...call, hook: 'before' });
      open.set(callID, call);
    },
    'tool.execute.after': async ({ callID }, output) => {
      const call = open.get(callID);
      if (!open.delete(callID)) return;
      const { context } = await tell(COMMANDS.letting, { ...call, hook: 'after' });
      if (typeof context === 'string' && typeof output?.output === 'string') output.output += '\n' + context;
    },
    event: async ({ event }) => {
      try {
        await onEvent(event);
      } catch (error) {
        show('GuardKit: ' + error.message);
      }
    },
    dispose: async () => {
      await Promise.all([...states.keys()].map(end));
    },
  };
};
`;
