const TERMINAL = /^(?:\/dev\/(?:stdin|tty|fd\/0|pts\/\d+)|\/proc\/(?:self|thread-self|\d+)\/fd\/0)$/;

/** Whether reading this path reads what is typed. */
export function isTerminalPath(path: string): boolean {
  return TERMINAL.test(path);
}
