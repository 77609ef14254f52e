/**
 * Times one operation repeatedly until it has enough samples or its time is up, so that a slow contestant takes a bounded
 * time. `prepare` is not timed, and the first runs are dropped as warm-up.
 */
export async function measure({ prepare, operation, samples, budgetMs }) {
  // Half as many again, because the engine is still compiling at first.
  const warmUps = Math.ceil(samples / 2);
  const deadline = performance.now() + budgetMs;
  const times = [];
  while (times.length < samples + warmUps && (times.length < 4 || performance.now() < deadline)) {
    const argument = prepare();
    const start = performance.now();
    await operation(argument);
    times.push({ ms: performance.now() - start, kind: argument.kind });
  }
  return times.slice(Math.min(warmUps, Math.floor(times.length / 4)));
}

export function summarize(times) {
  const sorted = times.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p95: at(0.95), samples: sorted.length };
}
