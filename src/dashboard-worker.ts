import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { loadProgram } from './load-program.ts';

// A thread of the resident process: serves the dashboard, or reads what its pages show.
if (parentPort) {
  const { answerReads, runCaptured, serveInThread } = loadProgram('command');
  const { dataFolder, role } = workerData;
  const env = { ...process.env, GUARDKIT_HOME: dataFolder };
  if (role === 'serve') {
    // Hooks come first, but a person waits for pages while builds use every core. On Linux this is the priority of the
    // calling thread and of those that it starts.
    if (process.platform === 'linux') setPriority(0, Math.min(getPriority(0) + 5, 19));
    serveInThread(parentPort, dataFolder);
  } else answerReads(parentPort, dataFolder, (args, cwd) => runCaptured(args, { cwd, env }));
}
