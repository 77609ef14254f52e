import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program's input and outputs, connected as a shell connects them. */
export interface Pipes {
  /** The program's ends, for `spawn`. */
  ends: readonly [stdin: number | 'ignore', stdout: number, stderr: number];
  stdout: Socket;
  stderr: Socket;
  /** Resolves when the program and everything that it started have closed their outputs. */
  closed: Promise<unknown>;
  /** Closes GuardKit's copies of the program's ends, once the program has them. */
  handOver(): void;
}

/** Opening a pipe for reading waits for a writer, except with this flag. */
const WITHOUT_WRITER = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Opens pipes for the outputs, and a file with the input. Node itself connects programs by sockets, which Linux does not
 * open by name, so that `tee /dev/stderr` and `cat /dev/stdin` would fail. The input is not a pipe, because opening a named
 * pipe again waits for a writer. Undefined on other systems, or if no pipe can be made.
 */
export function openPipes(input: string | undefined): Pipes | undefined {
  if (process.platform !== 'linux') return undefined;
  const opened: number[] = [];
  const open = (path: string, flags: number) => {
    const fd = openSync(path, flags);
    opened.push(fd);
    return fd;
  };
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'guardkit-pipes-'));
    const [stdin, ...outputs] = ['stdin', 'stdout', 'stderr'].map((name) => join(folder ?? '', name)) as [
      string,
      string,
      string,
    ];
    execFileSync('mkfifo', ['-m', '600', ...outputs], { stdio: 'ignore' });
    if (input !== undefined) writeFileSync(stdin, input, { mode: 0o600 });
    const read = input === undefined ? 'ignore' : open(stdin, constants.O_RDONLY);
    const [stdout, stderr] = outputs.map((path) => open(path, WITHOUT_WRITER)) as [number, number];
    const [out, err] = outputs.map((path) => open(path, constants.O_WRONLY)) as [number, number];
    return connect([read, out, err], stdout, stderr);
  } catch {
    // Safe: sockets do for most programs. There may be no `mkfifo`, or no room for temporary files.
    for (const fd of opened) closeSync(fd);
    return undefined;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function connect(ends: Pipes['ends'], stdout: number, stderr: number): Pipes {
  const [out, err] = [stdout, stderr].map((fd) => new Socket({ fd, readable: true, writable: false })) as [
    Socket,
    Socket,
  ];
  return {
    ends,
    stdout: out,
    stderr: err,
    closed: Promise.all([out, err].map((stream) => new Promise((resolve) => stream.once('close', resolve)))),
    handOver: () => {
      for (const end of ends) if (end !== 'ignore') closeSync(end);
    },
  };
}
