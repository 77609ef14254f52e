import { isObject } from '../../domain/json/plain-shape.ts';

/** What of an agent's own state decides which programs it starts, at its top and for each project. */
const ORDERS: readonly string[] = [
  'mcpServers',
  'hooks',
  'env',
  'apiKeyHelper',
  'enabledMcpjsonServers',
  'disabledMcpjsonServers',
];

/**
 * Whether the file in which an agent's program keeps its state says the same about what it starts. All else in it the
 * program writes all the time, for every session of this person.
 */
export function sameAgentOrders(before: string, after: string): boolean {
  const [old, now] = [read(before), read(after)];
  return old !== undefined && old === now;
}

/** Undefined where it is nothing that an agent's program would take. */
function read(text: string): string | undefined {
  try {
    const state: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (!isObject(state)) return undefined;
    const projects = isObject(state.projects) ? Object.entries(state.projects) : [];
    return JSON.stringify([
      ordersOf(state),
      projects
        .map(([path, project]) => [path, ordersOf(project)] as const)
        .filter(([, orders]) => orders.length > 0)
        .sort(([one], [two]) => (one < two ? -1 : 1)),
    ]);
  } catch {
    // Safe: it is then like no other.
    return undefined;
  }
}

function ordersOf(state: unknown): (readonly [string, unknown])[] {
  if (!isObject(state)) return [];
  return ORDERS.filter((key) => Object.hasOwn(state, key) && !isEmpty(state[key])).map(
    (key) => [key, state[key]] as const,
  );
}

/** As the program writes what nobody has set. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
