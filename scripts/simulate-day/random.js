/** Random numbers; the same seed gives the same numbers (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)],
    weighted(list) {
      let left = next() * list.reduce((sum, { weight }) => sum + weight, 0);
      for (const one of list) {
        left -= one.weight;
        if (left < 0) return one;
      }
      return list.at(-1);
    },
  };
}
