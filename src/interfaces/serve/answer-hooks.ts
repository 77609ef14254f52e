import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { readProjectConfig } from '../../config/project/project-config.ts';
import { type ServeSettings, serveSettings } from '../../config/project/serve-config.ts';
import type { HookOutput } from '../../enforcement/hooks/answer-hook.ts';
import { findHookStarter } from '../../enforcement/hooks/refuse-forged.ts';
import { withoutLoaders } from '../../enforcement/install/hook-launcher.ts';
import { fileStamp } from '../../platform/files/file-stamp.ts';
import { findGitFolder } from '../../platform/git/git-folder.ts';
import { END_OF_WORK } from '../../platform/processes/end-of-work.ts';
import type { EventClaim } from '../../store/ledger/claimed-event.ts';
import { WarmLedgerFile } from '../../store/ledger/open-ledger-file.ts';
import type { HookRequest } from './hook-request.ts';

/** The program of the cold launcher, which answers one event. */
type RunHook = (args: readonly string[], context: HookCall) => Promise<number>;

interface HookCall {
  env: NodeJS.ProcessEnv;
  cwd: string;
  startedAt: number;
  startBroker(): Promise<void>;
  claim: EventClaim;
  warm: WarmLedgerFile;
  findStarter(agent: string): number | undefined;
  readInput(): string;
  stdout(text: string): void;
  stderr(text: string): void;
}

export interface HookReply {
  checkout: string;
  settings: ServeSettings;
  /** Undefined if the project has turned the resident process off. */
  output: HookOutput | undefined;
}

export interface HookWorkerContext {
  dataFolder: string;
  runHook: RunHook;
}

/** In a worker thread of the resident process: answers hook events as the cold launcher's program does. */
export function answerHooks(port: MessagePort, worker: HookWorkerContext): void {
  port.on('message', (request: HookRequest | typeof END_OF_WORK) => {
    if (request === END_OF_WORK) {
      warm.close();
      port.close();
      return;
    }
    replyTo(request, worker).then((reply) => port.postMessage(reply));
  });
}

async function replyTo(request: HookRequest, worker: HookWorkerContext): Promise<HookReply> {
  const checkout = checkoutOf(request);
  const settings = await readServeSettings(checkout);
  return { checkout, settings, output: settings.on ? await answerHere(request, worker) : undefined };
}

/** One thread answers one event at a time. */
const warm = new WarmLedgerFile();
const known = new Map<string, { stamp: string; settings: ServeSettings }>();

/** Read from the last client: asking `process.env` for each variable takes much longer. It starts empty. */
let taken: NodeJS.ProcessEnv = {};

/** The thread's own, so that git and others run as they do for the cold launcher. */
function takeEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(taken)) if (!Object.hasOwn(env, name)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (taken[name] !== value) process.env[name] = value;
  taken = env;
}

/** Of the agent's project, or the folder itself outside of every repository. */
function checkoutOf({ env, cwd }: HookRequest): string {
  const folder = env.CLAUDE_PROJECT_DIR ?? cwd;
  return findGitFolder(folder)?.root ?? folder;
}

/** Reads the configuration only if it changed. */
async function readServeSettings(checkout: string): Promise<ServeSettings> {
  const stamp = fileStamp(join(checkout, '.guardkit', 'config.yaml'));
  const last = known.get(checkout);
  if (last?.stamp === stamp) return last.settings;
  const read = await readProjectConfig(checkout);
  // A faulty file is for others to report.
  const settings = serveSettings(read.ok ? read.value.serve : undefined);
  known.set(checkout, { stamp, settings });
  return settings;
}

async function answerHere(
  request: HookRequest,
  { dataFolder, runHook }: HookWorkerContext,
): Promise<HookOutput> {
  const output: HookOutput = { exitCode: 0, stdout: '', stderr: '' };
  const env = { ...withoutLoaders(request.env), GUARDKIT_HOME: dataFolder };
  takeEnvironment(env);
  const context: HookCall = {
    env,
    cwd: request.cwd,
    startedAt: Date.now(),
    // It runs: this is it.
    startBroker: async () => {},
    claim: { key: request.event, owner: `resident ${process.pid}`, takesOver: false },
    warm,
    findStarter: (agent) => findHookStarter(agent, dataFolder, request.parent),
    readInput: () => request.payload,
    stdout: (text) => {
      output.stdout += text;
    },
    stderr: (text) => {
      output.stderr += text;
    },
  };
  output.exitCode = await runHook([request.agent], context);
  return output;
}
