const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The first Ctrl-C ends the running work and its processes; the second ends the program at once. */
export function endOnSignal(): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  // Kept after the first signal: without a listener, other listeners would let the program die.
  const end = (signal: NodeJS.Signals) => {
    if (!controller.signal.aborted) return controller.abort();
    forget();
    process.kill(process.pid, signal);
  };
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return { signal: controller.signal, forget };
}
