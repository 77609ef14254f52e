/**
 * Groups of things that reach each other, each as a sorted list: Tarjan's algorithm, with a stack of its own since a
 * chain of thousands would exhaust the program's.
 */
export function supersedesCycles(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open = new Set<string>();
  const path: string[] = [];

  for (const root of next.keys()) {
    if (order.has(root)) continue;
    const stack: { id: string; targets: Iterator<string> }[] = [];
    const enter = (id: string) => {
      order.set(id, order.size);
      lowest.set(id, order.size - 1);
      path.push(id);
      open.add(id);
      stack.push({ id, targets: (next.get(id) ?? [])[Symbol.iterator]() });
    };
    enter(root);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const { done, value: target } = top.targets.next();
      if (!done) {
        if (!order.has(target)) enter(target);
        else if (open.has(target)) lower(top.id, order.get(target) ?? 0);
        continue;
      }
      stack.pop();
      const above = stack.at(-1);
      if (above) lower(above.id, lowest.get(top.id) ?? 0);
      if (lowest.get(top.id) === order.get(top.id)) close(top.id);
    }
  }
  return cycles;

  function lower(id: string, value: number): void {
    lowest.set(id, Math.min(lowest.get(id) ?? value, value));
  }

  function close(id: string): void {
    const group = path.splice(path.lastIndexOf(id));
    for (const member of group) open.delete(member);
    if (group.length > 1) cycles.push(group.sort());
  }
}
