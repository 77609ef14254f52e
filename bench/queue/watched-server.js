// A way to a PostgreSQL server that notes every query and how long its answer took.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

export async function watchServer(url) {
  const target = new URL(url);
  const queries = [];
  const proxy = createServer((socket) => {
    const other = connect(Number(target.port || 5432), target.hostname);
    const { fromClient, fromServer } = watchConnection(queries);
    socket.on('data', fromClient);
    other.on('data', fromServer);
    socket.pipe(other);
    other.pipe(socket);
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ]) {
      one.on('error', () => two.destroy());
      one.on('close', () => two.destroy());
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String(proxy.address().port);
  return { url: own.href, queries: () => queries, close: () => proxy.close() };
}

/** Follows the messages of one connection: each is a letter, a length and a body. The client's first has no letter. */
function watchConnection(queries) {
  const prepared = new Map();
  const waiting = [];
  let text = '';
  const ask = (what) => waiting.push({ what, began: performance.now() });
  const fromClient = messages(true, (letter, body) => {
    if (letter === 'Q') ask(describe(body.toString('utf8', 0, body.length - 1)));
    if (letter === 'P') {
      const [name, sql] = body.toString('utf8').split('\0');
      prepared.set(name, sql);
    }
    if (letter === 'B') text = prepared.get(body.toString('utf8').split('\0')[1]) ?? '';
    if (letter === 'S') ask(describe(text));
  });
  const fromServer = messages(false, (letter) => {
    if (letter !== 'Z') return;
    const asked = waiting.shift();
    if (asked) queries.push({ what: asked.what, ms: performance.now() - asked.began });
  });
  return { fromClient, fromServer };
}

function messages(startsWithoutLetter, take) {
  let left = Buffer.alloc(0);
  let isFirst = startsWithoutLetter;
  return (bytes) => {
    left = Buffer.concat([left, bytes]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (left.length < head + 4) return;
      const size = head + left.readUInt32BE(head);
      if (left.length < size) return;
      if (!isFirst) take(String.fromCharCode(left[0] ?? 0), left.subarray(5, size));
      isFirst = false;
      left = left.subarray(size);
    }
  };
}

function describe(sql) {
  return sql.replaceAll(/\s+/g, ' ').trim().slice(0, 110);
}
