/** Ctrl-C ends what runs, with all that it started, before this program ends. */
export function endOnSignal(): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  const end = () => controller.abort();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  return {
    signal: controller.signal,
    forget: () => {
      process.off('SIGINT', end);
      process.off('SIGTERM', end);
    },
  };
}
