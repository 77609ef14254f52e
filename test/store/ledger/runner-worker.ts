import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { OutboxRunner } from '../../../src/store/ledger/outbox/outbox-runner.ts';

// Starts a runner with an unavailable store, and does nothing else.
const ledger = openLedger({ path: process.argv[2] ?? '' });
new OutboxRunner({
  ledger,
  openStore: () => Promise.reject(new Error('away')),
  onEvent: (event) => console.log(event.type),
}).start();
