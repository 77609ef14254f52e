import type { MessagePort } from 'node:worker_threads';
import type { HookOutput } from '../../enforcement/hooks/answer-hook.ts';
import { findHookStarter } from '../../enforcement/hooks/refuse-forged.ts';
import { withoutLoaders } from '../../enforcement/install/hook-launcher.ts';
import type { EventClaim } from '../../store/ledger/event-claim.ts';
import type { HookRequest } from './hook-request.ts';

/** The program of the cold launcher, which answers one event. */
type RunHook = (args: readonly string[], context: HookCall) => Promise<number>;

interface HookCall {
  env: NodeJS.ProcessEnv;
  cwd: string;
  startedAt: number;
  startBroker(): Promise<void>;
  claim: EventClaim;
  findStarter(agent: string): number | undefined;
  readInput(): string;
  stdout(text: string): void;
  stderr(text: string): void;
}

export interface HookWorkerContext {
  dataFolder: string;
  runHook: RunHook;
}

/** In a worker thread of the resident process: answers hook events as the cold launcher's program does. */
export function answerHooks(port: MessagePort, worker: HookWorkerContext): void {
  port.on('message', ({ id, request }: { id: number; request: HookRequest }) => {
    answerHere(request, worker).then((output) => port.postMessage({ id, output }));
  });
}

async function answerHere(
  request: HookRequest,
  { dataFolder, runHook }: HookWorkerContext,
): Promise<HookOutput> {
  const output: HookOutput = { exitCode: 0, stdout: '', stderr: '' };
  const context: HookCall = {
    env: { ...withoutLoaders(request.env), GUARDKIT_HOME: dataFolder },
    cwd: request.cwd,
    startedAt: Date.now(),
    // It runs: this is it.
    startBroker: async () => {},
    claim: { key: request.event, owner: `resident ${process.pid}`, takesOver: false },
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
