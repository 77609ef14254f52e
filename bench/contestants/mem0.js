import { join } from 'node:path';

const USER = 'bench';
const DIMENSIONS = 64;

/**
 * mem0ai's open-source Memory with infer: false, so that it calls no model, with its own vector store on SQLite and a small
 * in-process embedder (passed as a LangChain one): no network, no model time.
 */
export async function open(folder, { wal = false } = {}) {
  process.env.MEM0_TELEMETRY = 'false';
  process.env.MEM0_DIR = folder;
  const { Memory } = await import('mem0ai/oss');
  const memory = new Memory({
    embedder: { provider: 'langchain', config: { model: wordEmbedder, embeddingDims: DIMENSIONS } },
    vectorStore: {
      provider: 'memory',
      config: { collectionName: 'bench', dbPath: join(folder, 'vectors.db') },
    },
    llm: { provider: 'openai', config: { apiKey: 'never-used', baseURL: 'http://127.0.0.1:9' } },
    historyDbPath: join(folder, 'history.db'),
  });
  await memory.getAll({ filters: { user_id: USER } });
  const databases = [memory.vectorStore.db, memory.db.db];
  const pragma = (text) => databases.map((database) => database.pragma(text));
  if (wal) pragma('journal_mode = WAL');

  const ids = new Map();
  const add = async ({ id, feature, task, turn, text }) => {
    const metadata = { entity_id: id, feature_id: feature, task_id: task, turn_number: turn };
    const { results } = await memory.add(text, { userId: USER, infer: false, metadata });
    ids.set(id, results[0].id);
  };

  return {
    fill: async (turns) => {
      pragma('synchronous = OFF');
      for (const turn of turns) await add(turn);
      pragma(`synchronous = ${wal ? 'NORMAL' : 'FULL'}`);
    },
    // It does not support our keys: adding the same text again would duplicate it, so search for it first.
    unchanged: async ({ id, text }) => {
      const { results } = await memory.getAll({ filters: { user_id: USER, entity_id: id } });
      return results[0]?.memory === text;
    },
    upsert: add,
    get: async ({ id }) => (await memory.get(ids.get(id)))?.memory,
    latest: async ({ feature, task }) => {
      const filters = { user_id: USER, feature_id: feature, task_id: task };
      const { results } = await memory.getAll({ filters, topK: 100 });
      return Math.max(...results.map(({ metadata }) => metadata.turn_number));
    },
    search: async (query) => {
      const { results } = await memory.search(query, { topK: 10, filters: { user_id: USER } });
      return results.map((result) => result.memory);
    },
    close: async () => {},
  };
}

/** Counts words by their hash. */
const wordEmbedder = {
  embedQuery: async (text) => embed(text),
  embedDocuments: async (texts) => texts.map(embed),
};

function embed(text) {
  const vector = new Array(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().split(/[^a-z0-9]+/)) {
    let hash = 0;
    for (let index = 0; index < word.length; index++) hash = (hash * 31 + word.charCodeAt(index)) >>> 0;
    vector[hash % DIMENSIONS] += 1;
  }
  return vector;
}
