// One contestant per process, so that none pays for another's memory or compiled code:
//   node run-contestant.js FOLDER '{"module":"guardkit","sizes":[1000],"operations":["get"],"samples":500,"budgetMs":5000}'
import { loadavg } from 'node:os';
import { measure, summarize } from './measure.js';
import { refuseNetwork } from './no-network.js';
import { mixedQueries, QUERY_KINDS } from './queries.js';
import { random } from './random.js';
import { lastTurnOfSomeTask, turn, turnKey } from './turns.js';

const [folder, json] = process.argv.slice(2);
const { module, settings, sizes, operations, samples, budgetMs } = JSON.parse(json);
const report = process.send
  ? (figure) => process.send(figure)
  : (figure) => console.log(JSON.stringify(figure));

const refused = refuseNetwork();
const { open } = await import(`./contestants/${module}.js`);
const contestant = await open(folder, settings);
let written = 0;

for (const size of sizes) {
  await fill(size);
  await assertAnswers();
  const next = random(size);
  const someTurn = () => Math.floor(next() * written);
  const queries = mixedQueries(size);
  const prepare = {
    get: () => turnKey(someTurn()),
    latest: () => turnKey(lastTurnOfSomeTask(next, written)),
    search: () => queries.next().value,
    unchanged: () => turn(someTurn()),
    upsert: () => turn(written++),
  };
  // Writes come last, since they grow the store beyond the reported size.
  for (const operation of Object.keys(prepare)) {
    if (operations.includes(operation)) await run(size, operation, prepare[operation]);
  }
}
await contestant.close();
report({ refusedConnections: refused });
process.exit();

async function fill(size) {
  while (written < size) {
    const end = Math.min(size, written + 10_000);
    const turns = [];
    while (written < end) turns.push(turn(written++));
    await contestant.fill(turns);
  }
}

/** Timing a wrong answer would be pointless. */
async function assertAnswers() {
  const known = turn(lastTurnOfSomeTask(random(written), written));
  const { id, body, feature, task } = known;
  const { get, latest, search, unchanged } = contestant;
  if (!(await get({ id }))?.includes(body.player_summary))
    throw new Error(`get ${id} returned another body.`);
  if (latest && (await latest({ feature, task })) !== body.turn_number)
    throw new Error(`latest of ${task} is wrong.`);
  if (search && (await search(id)).length === 0) throw new Error(`search ${id} found nothing.`);
  if (unchanged && !(await unchanged(known))) throw new Error(`${id} was written again.`);
}

async function run(size, operation, prepare) {
  const call = operation === 'search' ? ({ query }) => contestant.search(query) : contestant[operation];
  const times = await measure({ prepare, operation: call, samples, budgetMs });
  const byKind = QUERY_KINDS.map((kind) => [kind, summarize(times.filter((time) => time.kind === kind))]);
  report({
    size,
    operation,
    ...summarize(times),
    load: loadavg()[0],
    ...(operation === 'search' && { byKind: Object.fromEntries(byKind) }),
  });
}
