const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Ctrl-C ends what runs, with all that it started, before this program ends; a second one ends all of it at once. */
export function endOnSignal(): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  // Kept after the first signal: whoever else listens would take a program without listeners for one that may die.
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
