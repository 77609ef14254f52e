/** For each confidence, how many are noticed, how many of those are right, and how many of all corrections that is. */
const CONFIDENCES = [0.8, 0.85, 0.9, 0.93, 0.95];

export function measure(name, samples) {
  const corrections = samples.filter(({ correction }) => correction).length;
  const columns = CONFIDENCES.map((confidence) => {
    const noticed = samples.filter(({ odds }) => 1 / (1 + Math.exp(-odds)) >= confidence);
    const right = noticed.filter(({ correction }) => correction).length;
    return `${confidence}: ${(right / noticed.length).toFixed(3)} of ${(right / corrections).toFixed(3)}`;
  });
  return `${name.padEnd(10)} ${columns.join('   ')}`;
}
