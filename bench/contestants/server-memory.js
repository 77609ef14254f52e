import { join } from 'node:path';

/**
 * Calls its class directly, which favors it over MCP via stdio with a second process and two JSON copies. Importing the
 * module also starts the server on stdin, so every contestant runs in its own process without stdin.
 */
export async function open(folder) {
  process.env.MEMORY_FILE_PATH = join(folder, 'unused.jsonl');
  const { KnowledgeGraphManager } = await import('@modelcontextprotocol/server-memory/dist/index.js');
  const graph = new KnowledgeGraphManager(join(folder, 'memory.jsonl'));
  const entity = (turn) => ({ name: turn.id, entityType: 'turn_state', observations: [turn.text] });

  return {
    fill: (turns) => graph.createEntities(turns.map(entity)),
    upsert: (turn) => graph.createEntities([entity(turn)]),
    unchanged: async (turn) => (await graph.createEntities([entity(turn)])).length === 0,
    get: async ({ id }) => (await graph.openNodes([id])).entities[0]?.observations[0],
    latest: async ({ feature, task }) => {
      const { entities } = await graph.searchNodes(`TURN-${feature}-${task}-T`);
      return Math.max(...entities.map(({ name }) => Number(name.slice(name.lastIndexOf('T') + 1))));
    },
    search: async (query) =>
      (await graph.searchNodes(query)).entities.map(({ observations }) => observations[0]),
    close: async () => {},
  };
}
