import { parentPort, workerData } from 'node:worker_threads';
import { keepSession } from './store/shared/session-thread.ts';

// A thread of `guardkit worker`, which holds its session on the server.
if (parentPort) keepSession(parentPort, workerData);
