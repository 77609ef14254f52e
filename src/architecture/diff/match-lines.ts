/** A run of lines that both texts have: where it begins in each, and how long it is. */
export interface LineMatch {
  left: number;
  right: number;
  length: number;
}

/** Beyond so many changed lines the rest counts as changed altogether: finding the fewest would take too long. */
const MAX_CHANGES = 2000;

/** The common lines of two texts, in order: Myers' algorithm after what both begin and end with. */
export function matchLines(left: readonly string[], right: readonly string[]): LineMatch[] {
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head++;
  let tail = 0;
  const room = Math.min(left.length, right.length) - head;
  while (tail < room && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  const middle = matchMiddle(left.slice(head, left.length - tail), right.slice(head, right.length - tail));
  return [
    ...(head > 0 ? [{ left: 0, right: 0, length: head }] : []),
    ...middle.map((match) => ({ ...match, left: match.left + head, right: match.right + head })),
    ...(tail > 0 ? [{ left: left.length - tail, right: right.length - tail, length: tail }] : []),
  ];
}

function matchMiddle(left: readonly string[], right: readonly string[]): LineMatch[] {
  if (left.length === 0 || right.length === 0) return [];
  const limit = Math.min(left.length + right.length, MAX_CHANGES);
  const offset = limit + 1;
  // How far each diagonal was followed, after each number of changes.
  const reached = new Int32Array(2 * limit + 3);
  const steps: Int32Array[] = [];
  for (let changes = 0; changes <= limit; changes++) {
    steps.push(reached.slice(offset - changes - 1, offset + changes + 2));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const down =
        diagonal === -changes ||
        (diagonal !== changes && at(reached, offset + diagonal - 1) < at(reached, offset + diagonal + 1));
      let x = down ? at(reached, offset + diagonal + 1) : at(reached, offset + diagonal - 1) + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++;
      reached[offset + diagonal] = x;
      if (x >= left.length && x - diagonal >= right.length) return walkBack(steps, left.length, right.length);
    }
  }
  return [];
}

function walkBack(steps: readonly Int32Array[], leftLength: number, rightLength: number): LineMatch[] {
  const matches: LineMatch[] = [];
  let x = leftLength;
  let y = rightLength;
  for (let changes = steps.length - 1; changes >= 0; changes--) {
    const reached = steps[changes] ?? new Int32Array();
    const offset = changes + 1;
    const diagonal = x - y;
    const down =
      diagonal === -changes ||
      (diagonal !== changes && at(reached, offset + diagonal - 1) < at(reached, offset + diagonal + 1));
    const from = down ? diagonal + 1 : diagonal - 1;
    const previousX = changes === 0 ? 0 : at(reached, offset + from);
    const startX = changes === 0 ? 0 : down ? previousX : previousX + 1;
    if (x > startX) matches.push({ left: startX, right: startX - diagonal, length: x - startX });
    x = previousX;
    y = previousX - from;
  }
  return matches.reverse();
}

function at(values: Int32Array, index: number): number {
  return values[index] ?? 0;
}
