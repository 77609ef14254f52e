import { workerData } from 'node:worker_threads';
import { answerChain } from './store/shared/chain-thread.ts';

// A thread of `guardkit worker`, which appends to the shared chain. Without the rest of the program: starting a process takes
// the longer, the more memory this one has.
answerChain(workerData.port, workerData.url);
