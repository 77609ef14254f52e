import net from 'node:net';

/** Refuses and counts every connection of this process to another machine; none is expected. */
export function refuseNetwork() {
  const refused = [];
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function (...args) {
    // Node's own callers pass one array of options; others may pass (port, host).
    const [first, second] = Array.isArray(args[0]) ? args[0] : args;
    const named = typeof first === 'object' ? first.host : second;
    const host = typeof named === 'string' ? named : 'localhost';
    if (['localhost', '127.0.0.1', '::1'].includes(host)) return connect.apply(this, args);
    refused.push(host);
    process.nextTick(() => this.destroy(new Error(`The bench does not connect to ${host}.`)));
    return this;
  };
  return refused;
}
