import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { OutboxRunner } from '../../../src/store/ledger/outbox/outbox-runner.ts';

// Starts a runner whose store is away, and has nothing else to do.
const ledger = openLedger({ path: process.argv[2] ?? '' });
new OutboxRunner({
  ledger,
  openStore: () => Promise.reject(new Error('away')),
  onEvent: (event) => console.log(event.type),
}).start();
