interface Depending {
  id: string;
  dependencies: readonly string[];
}

/** Dependencies first, otherwise in the given order. Items in a cycle come last, in that order. */
export function orderByDependencies<Item extends Depending>(items: readonly Item[]): Item[] {
  const waiting = new Map(items.map((item) => [item.id, item]));
  const ordered: Item[] = [];
  for (;;) {
    const next = [...waiting.values()].find(({ id, dependencies }) =>
      dependencies.every((other) => other === id || !waiting.has(other)),
    );
    if (!next) return [...ordered, ...waiting.values()];
    waiting.delete(next.id);
    ordered.push(next);
  }
}

/** Fixing these shows the next ones. */
const MAX_CYCLES = 20;

/** Cycles as closed paths, `[A, B, A]`; no two share an item. */
export function findCycles(items: readonly Depending[]): string[][] {
  const open = new Map(items.map(({ id, dependencies }) => [id, dependencies]));
  const cycles: string[][] = [];
  for (;;) {
    dropFree(open);
    const start = open.keys().next().value;
    if (start === undefined || cycles.length === MAX_CYCLES) return cycles;
    const cycle = walk(open, start);
    cycles.push(cycle);
    for (const id of cycle) open.delete(id);
  }
}

/** Removes every item that depends on nothing left, until none remains. */
function dropFree(open: Map<string, readonly string[]>): void {
  const dependents = new Map([...open.keys()].map((id): [string, string[]] => [id, []]));
  const counts = new Map<string, number>();
  for (const [id, dependencies] of open) {
    const left = [...new Set(dependencies)].filter((other) => open.has(other));
    counts.set(id, left.length);
    for (const other of left) dependents.get(other)?.push(id);
  }
  const free = [...counts].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    open.delete(id);
    for (const dependent of dependents.get(id) ?? []) {
      const count = (counts.get(dependent) ?? 0) - 1;
      counts.set(dependent, count);
      if (count === 0) free.push(dependent);
    }
  }
}

/** Each remaining item depends on another remaining one, so any walk returns to an item it has visited. */
function walk(open: ReadonlyMap<string, readonly string[]>, start: string): string[] {
  const path: string[] = [];
  const at = new Map<string, number>();
  for (let id = start; ; ) {
    const seen = at.get(id);
    if (seen !== undefined) return [...path.slice(seen), id];
    at.set(id, path.length);
    path.push(id);
    id = open.get(id)?.find((other) => open.has(other)) ?? start;
  }
}
