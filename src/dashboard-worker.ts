import { parentPort, workerData } from 'node:worker_threads';
import { loadProgram } from './load-program.ts';

// A thread of the resident process: serves the dashboard, or reads what its pages show.
if (parentPort) {
  const { answerReads, runCaptured, serveInThread } = loadProgram('command');
  const { dataFolder, role } = workerData;
  const env = { ...process.env, GUARDKIT_HOME: dataFolder };
  if (role === 'serve') serveInThread(parentPort, dataFolder);
  else answerReads(parentPort, dataFolder, (args, cwd) => runCaptured(args, { cwd, env }));
}
