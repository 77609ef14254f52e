import { parentPort, workerData } from 'node:worker_threads';
import { loadProgram } from './load-program.ts';

// A thread of the resident process, which answers the hook events of one checkout.
if (parentPort) {
  const { answerHooks, processWorld, runHook } = loadProgram('hook');
  answerHooks(parentPort, {
    dataFolder: workerData.dataFolder,
    runHook: (args, call) => runHook(args, { ...processWorld(), ...call }),
  });
}
