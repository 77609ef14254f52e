import { spawn } from 'node:child_process';

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const pid of running) endGroup(pid, 'SIGTERM');
    process.exit(1);
  });
}

/** Runs a shell command in its own process group and ends the group at the time limit. */
export function runCommand(command, { cwd, env = process.env, seconds = 600, keep = 200_000 } = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn('/bin/sh', ['-c', `(${command}\n)\ncode=$?; times >&3; exit $code`], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    running.add(child.pid);
    let output = '';
    let stdout = '';
    let usage = '';
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid);
    }, seconds * 1000);
    child.stdout.on('data', (data) => {
      stdout += data;
      output = (output + data).slice(-keep);
    });
    child.stderr.on('data', (data) => {
      output = (output + data).slice(-keep);
    });
    child.stdio[3].on('data', (data) => {
      usage += data;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      running.delete(child.pid);
      endGroup(child.pid);
      const seconds = (performance.now() - started) / 1000;
      resolve({ code, signal, timedOut, output, stdout, seconds, cpu: cpuSeconds(usage) });
    });
  });
}

/** Runs a program whose failure is an error of the replay itself. */
export async function mustRun(command, options) {
  const result = await runCommand(command, options);
  if (result.code !== 0) throw new Error(`${command} (exit ${result.code})\n${result.output.slice(-2000)}`);
  return result.stdout;
}

function endGroup(pid, signal = 'SIGKILL') {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}

/** Processor seconds of the command and its children, from the shell's `times`; unlike the time, not changed by load. */
function cpuSeconds(usage) {
  const found = [...usage.matchAll(/(\d+)m([\d.]+)s/g)];
  return found.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}
