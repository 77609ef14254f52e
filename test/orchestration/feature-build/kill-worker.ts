// Runs one command line of GuardKit in the current folder, and is killed as by `kill -9` at a ledger entry.
// KILL_AT names the moment: `before:3` and `after:3` are right before and after the third write, `after:planned` is right
// after the first write of an entry of that kind or of a turn's step of that name.
export {};

// As the program does it, before anything loads zod.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
const { runCli } = await import('../../../src/interfaces/cli/program/run-cli.ts');
const { Ledger } = await import('../../../src/store/ledger/ledger.ts');

const [when, which = ''] = (process.env.KILL_AT ?? '').split(':');
const { appendMany } = Ledger.prototype;
let count = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('a killed process went on');
}

Ledger.prototype.appendMany = function appendAndDie(...args) {
  const [, entries] = args;
  const names = entries.flatMap(({ kind, body }) => [kind, (body as { step?: string }).step]);
  const isIt = [String(++count), ...names].includes(which);
  if (isIt && when === 'before') die();
  const heads = appendMany.apply(this, args);
  if (isIt && when === 'after') die();
  return heads;
};

process.exitCode = await runCli(process.argv.slice(2));
process.stderr.write(`written ${count} times\n`);
