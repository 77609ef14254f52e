const node = (id: string, type: string, description: string, more = '') =>
  `  "${id}" [type="${type}", level="architecture", status="current", description="${description}"${more}];`;
const edge = (from: string, relation: string, to: string) =>
  `  "${from}" -> "${to}" [relation="${relation}"];`;

const FIRST = [
  node('web', 'component', 'Pages for customers'),
  node('sessions', 'component', 'Opens and renews sessions', ', path="src/session.js"'),
  node('orders', 'component', 'Takes and changes orders'),
  node('order-store', 'datastore', 'Keeps orders for ten years'),
  node('payment-service', 'external', 'Takes payments'),
  node('no-expired-session', 'rule', 'An expired session is never renewed', ', priority="critical"'),
  edge('web', 'calls', 'sessions'),
  edge('web', 'calls', 'orders'),
  edge('orders', 'uses', 'order-store'),
  edge('orders', 'calls', 'payment-service'),
  edge('sessions', 'must_follow', 'no-expired-session'),
];

const SECOND = [
  ...FIRST,
  node('audit-log', 'datastore', 'Records who renewed which session'),
  edge('sessions', 'uses', 'audit-log'),
];

const graph = (lines: readonly string[]) => ['digraph knowledge {', ...lines, '}', ''].join('\n');

/** The architecture of the demo's shop, by commit message. */
export const SHOP_GRAPHS: Readonly<Record<string, string>> = {
  'Describe the architecture': graph(FIRST),
  'Record renewals in an audit log': graph(SECOND),
};
