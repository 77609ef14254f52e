import { parentPort, workerData } from 'node:worker_threads';
import { loadProgram } from './load-program.ts';

// A thread of the process that serves the dashboard, which reads what its pages show.
if (parentPort) {
  const { answerReads, runCaptured } = loadProgram('command');
  const env = { ...process.env, GUARDKIT_HOME: workerData.dataFolder };
  answerReads(parentPort, workerData.dataFolder, (args, cwd) => runCaptured(args, { cwd, env }));
}
