import { parentPort, workerData } from 'node:worker_threads';
import { loadProgram } from './load-program.ts';

// A thread of the resident process, which answers hook events.
if (parentPort) {
  const { answerHooks, processContext, runHook } = loadProgram('hook');
  answerHooks(parentPort, {
    dataFolder: workerData.dataFolder,
    runHook: (args, call) => runHook(args, { ...processContext(), ...call }),
  });
}
