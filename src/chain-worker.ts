import { workerData } from 'node:worker_threads';
import { loadProgram } from './load-program.ts';

// A thread of `guardkit worker`, which appends to the shared chain.
loadProgram('command').answerChain(workerData.port, workerData.url);
