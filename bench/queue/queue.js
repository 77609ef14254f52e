// Workers on one machine with a PostgreSQL server of your own (an empty database). Run `npm run build` first.
//   node bench/queue/queue.js throughput postgres://…   features per hour with 1, 2 and 3 workers (FEATURES 12, WAIT 20 s)
//   node bench/queue/queue.js overhead postgres://…     a turn with a worker compared with a local run (FEATURES 4, TURNS 6, ROUNDS 5)
//   node bench/queue/queue.js many postgres://…         from a free worker to a begun build (WORKERS 20, FEATURES 1000, PROJECTS 1)
//   node bench/queue/queue.js takeover postgres://…     after a kill, a hang and a cut connection (ROUNDS 5)
//   node bench/queue/queue.js append postgres://…       appending to the shared chain with 1 and 4 writers (APPENDS 500)
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  keepWorkers,
  makeProject,
  query,
  queueAll,
  runLocally,
  runWorkers,
  setting,
  spread,
  startWorker,
} from './project.js';

const [what, url] = process.argv.slice(2);

async function throughput() {
  const features = setting('FEATURES', 12);
  const waitSeconds = setting('WAIT', 20);
  const seconds = {};
  for (const workers of [1, 2, 3]) {
    const made = makeProject(features, { waitSeconds });
    seconds[workers] = await runWorkers(made, workers, url);
    made.remove();
  }
  const perHour = Object.fromEntries(
    Object.entries(seconds).map(([workers, time]) => [workers, (features * 3600) / time]),
  );
  return {
    features,
    agent_seconds: waitSeconds,
    seconds,
    per_hour: perHour,
    times_with_2: perHour[2] / perHour[1],
    times_with_3: perHour[3] / perHour[1],
  };
}

/** More turns for the same features: starting and completing cancel out. Rounds alternate, since a machine's speed varies. */
async function overhead() {
  const features = setting('FEATURES', 4);
  const more = setting('TURNS', 6);
  const rounds = setting('ROUNDS', 5);
  const runs = {
    local: (made) => runLocally(made),
    // A worker's memory is on the server too; that part is not the queue's.
    local_with_server: (made) => runLocally(made, url),
    worker: (made) => runWorkers(made, 1, url),
  };
  const time = async (kind, turns) => {
    const made = makeProject(features, { turns });
    const seconds = await runs[kind](made);
    made.remove();
    return seconds;
  };
  const found = [];
  for (let round = 0; round < rounds; round++) {
    const one = {};
    for (const kind of Object.keys(runs)) {
      const base = await time(kind, 1);
      const ms = (((await time(kind, more)) - base) * 1000) / (features * (more - 1));
      one[kind] = { base, ms };
    }
    found.push(one);
  }
  const median = (of) => spread(found.map(of)).p50;
  return {
    features,
    turns: more,
    rounds: found.map((one) =>
      Object.fromEntries(Object.entries(one).map(([kind, { ms }]) => [kind, Math.round(ms)])),
    ),
    ms_per_turn: Object.fromEntries(Object.keys(runs).map((kind) => [kind, median((one) => one[kind].ms)])),
    overhead_ms_per_turn: median((one) => one.worker.ms - one.local.ms),
    overhead_ms_per_turn_with_same_memory: median((one) => one.worker.ms - one.local_with_server.ms),
    // With the start of the worker, and what is done once for each feature.
    overhead_ms_per_feature: median((one) => ((one.worker.base - one.local.base) * 1000) / features),
  };
}

/** Features and workers are divided among the projects. */
async function many() {
  const workers = setting('WORKERS', 20);
  const projects = setting('PROJECTS', 1);
  await requireConnections(workers * 15);
  const made = Array.from({ length: projects }, () => makeProject(setting('FEATURES', 1000) / projects));
  const watched = watchMachine();
  const began = performance.now();
  const kept = await Promise.all(made.map((one) => keepWorkers(one, workers / projects, url)));
  const seconds = (performance.now() - began) / 1000;
  const machine = await watched.stop();
  const names = made.map(({ name }) => name);
  const claims = await query(
    url,
    `SELECT worker, extract(epoch FROM taken_at)::float8 AS taken, extract(epoch FROM released_at)::float8 AS released
     FROM guardkit_queue.claim WHERE project = ANY($1) ORDER BY worker, taken_at`,
    [names],
  );
  const gaps = claims.flatMap((claim, index) =>
    claims[index - 1]?.worker === claim.worker ? [claim.taken - claims[index - 1].released] : [],
  );
  const perWorker = {};
  for (const { worker } of claims) perWorker[worker] = (perWorker[worker] ?? 0) + 1;
  const items = await query(
    url,
    'SELECT id::integer, project, state FROM guardkit_queue.item WHERE project = ANY($1) ORDER BY began_at, id',
    [names],
  );
  const states = {};
  for (const { state } of items) states[state] = (states[state] ?? 0) + 1;
  // Features of the same project that were queued later and began earlier.
  const overtaken = items.map(
    (late, index) =>
      items.slice(0, index).filter((one) => one.project === late.project && one.id > late.id).length,
  );
  for (const one of made) one.remove();
  return {
    workers,
    projects,
    seconds,
    ended_early: kept.flatMap(({ ends }) => ends),
    machine,
    states,
    free_to_begun_s: spread(gaps),
    overtaken_by: spread(overtaken),
    features_per_worker: Object.values(perWorker).sort((a, b) => a - b),
  };
}

/** Without them, workers end at their start, and nothing is measured. */
async function requireConnections(needed) {
  const [{ max_connections: most }] = await query(url, 'SHOW max_connections');
  if (Number(most) < needed)
    throw new Error(`The server allows ${most} connections; set max_connections to ${needed} or more.`);
}

/** How busy the machine was, and how many connections the server had. */
function watchMachine() {
  const seen = { load: [], connections: [] };
  const idle = () => cpus().reduce((sum, { times }) => sum + times.idle, 0);
  const before = { idle: idle(), at: performance.now() };
  const look = async () => {
    seen.load.push(loadavg()[0]);
    const [row] = await query(url, 'SELECT count(*)::integer AS n FROM pg_stat_activity').catch(() => []);
    if (row) seen.connections.push(row.n);
  };
  const timer = setInterval(look, 5000);
  return {
    async stop() {
      clearInterval(timer);
      await look();
      const cores = cpus().length;
      const busy = 1 - (idle() - before.idle) / ((performance.now() - before.at) * cores);
      return { cores, busy, load: spread(seen.load), connections: spread(seen.connections) };
    },
  };
}

/** Two workers, of which one is free: how long until it continues the other's feature. */
async function takeover() {
  const rounds = setting('ROUNDS', 5);
  const seconds = { kill: [], hang: [], cut: [] };
  for (const fault of Object.keys(seconds))
    for (let round = 0; round < rounds; round++) seconds[fault].push(await takeOver(fault));
  return { rounds, seconds: Object.fromEntries(Object.entries(seconds).map(([f, s]) => [f, spread(s)])) };
}

async function takeOver(fault) {
  const made = makeProject(1, { waitSeconds: 5, turns: 3 });
  queueAll(made, url);
  const proxies = [await startProxy(), await startProxy()];
  const workers = proxies.map((proxy, index) => startWorker(made, index, proxy.url, []));
  const entries = (epoch) =>
    query(url, 'SELECT epoch FROM guardkit_queue.entry WHERE project = $1 AND epoch >= $2 LIMIT 1', [
      made.name,
      epoch,
    ]);
  const registered = () =>
    query(url, 'SELECT pid FROM guardkit_queue.worker WHERE $1 = ANY(projects)', [made.name]);
  try {
    while ((await registered()).length < 2 || (await entries(1)).length === 0) await sleep(100);
    const [holder] = await query(
      url,
      'SELECT w.pid FROM guardkit_queue.claim c JOIN guardkit_queue.worker w ON w.id = c.worker WHERE c.project = $1',
      [made.name],
    );
    const index = workers.findIndex(({ child }) => child.pid === holder.pid);
    const began = performance.now();
    if (fault === 'cut') proxies[index].cut();
    else workers[index].child.kill(fault === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    while ((await entries(2)).length === 0) await sleep(20);
    return (performance.now() - began) / 1000;
  } finally {
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    for (const proxy of proxies) proxy.close();
    made.remove();
  }
}

/** A way to the server that can be cut. */
async function startProxy() {
  const target = new URL(url);
  const sockets = new Set();
  let isCut = false;
  const proxy = createServer((socket) => {
    if (isCut) return socket.destroy();
    const other = connect(Number(target.port || 5432), target.hostname);
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ]) {
      sockets.add(one);
      one.on('error', () => two.destroy());
      one.on('close', () => two.destroy());
      one.pipe(two);
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String(proxy.address().port);
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: own.href,
    cut,
    close: () => {
      cut();
      proxy.close();
    },
  };
}

async function append() {
  const appends = setting('APPENDS', 500);
  const made = makeProject(1);
  queueAll(made, url);
  const ms = {};
  for (const writers of [1, 4]) {
    const each = Array.from({ length: writers }, (_, index) =>
      writeEntries(made.name, `${writers}-${index}`, appends),
    );
    ms[writers] = spread((await Promise.all(each)).flat());
  }
  made.remove();
  return { appends_per_writer: appends, ms };
}

/** Milliseconds of each append under a claim, as a worker's thread does it. */
async function writeEntries(project, writer, appends) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const id = `bench-${process.pid}-${writer}`;
  await client.query(
    `INSERT INTO guardkit_queue.worker (id, host, pid, version, projects, concurrency) VALUES ($1, 'bench', 0, '0', '{}', 1)`,
    [id],
  );
  await client.query(
    'INSERT INTO guardkit_queue.claim (project, feature, epoch, worker) VALUES ($1, $2, 1, $2)',
    [project, id],
  );
  const body = {
    build_id: 'B',
    feature_id: id,
    task_id: id,
    step: 'verified',
    data: { text: 'x'.repeat(500) },
  };
  const times = [];
  for (let turn = 1; turn <= appends; turn++) {
    const entries = [{ kind: 'turn_step', body: JSON.stringify({ ...body, turn_number: turn }), key: null }];
    const began = performance.now();
    await client.query({
      name: 'append',
      text: 'SELECT guardkit_queue.append($1, $2, 1, $2, $3, 0, $4, $5, $6)',
      values: [project, id, 'bench', '', `${id}-${turn}`, JSON.stringify(entries)],
    });
    times.push(performance.now() - began);
  }
  await client.query('UPDATE guardkit_queue.worker SET ended_at = now() WHERE id = $1', [id]);
  await client.end();
  return times;
}

const benches = { throughput, overhead, many, takeover, append };
if (!benches[what] || !url) {
  console.error(`Usage: node bench/queue/queue.js ${Object.keys(benches).join('|')} postgres://…`);
  process.exit(2);
}
console.log(JSON.stringify(await benches[what](), undefined, 2));
