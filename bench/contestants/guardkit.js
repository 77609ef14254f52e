import { join } from 'node:path';

const GROUP = 'bench__turn_states';

export async function open(folder) {
  process.env.GUARDKIT_HOME = folder;
  delete process.env.GUARDKIT_DATABASE_URL;
  const { openStore } = await import('../../dist/index.js');
  const store = await openStore({ path: join(folder, 'guardkit.db') });
  const input = (turn) => ({ group: GROUP, entity_type: 'turn_state', body: turn.body });

  return {
    fill: (turns) => store.upsertMany(turns.map(input)),
    upsert: (turn) => store.upsert(input(turn)),
    unchanged: async (turn) => (await store.upsert(input(turn))).action === 'unchanged',
    get: async ({ id }) => (await store.get(GROUP, id))?.body.player_summary,
    latest: async ({ feature, task }) => {
      const where = [
        { field: 'feature_id', op: 'eq', value: feature },
        { field: 'task_id', op: 'eq', value: task },
      ];
      return (await store.latest(GROUP, { where }))?.body.turn_number;
    },
    search: async (query) =>
      (await store.search(query, { groups: [GROUP], limit: 10 })).map((hit) => hit.text),
    close: () => store.close(),
  };
}
