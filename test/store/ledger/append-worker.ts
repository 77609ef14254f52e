import { createInterface } from 'node:readline';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';

// Appends turns to each project in turn when told to on stdin, and prints each number.
const [path = '', count = '0', ...projects] = process.argv.slice(2);

createInterface({ input: process.stdin }).once('line', () => {
  const ledger = openLedger({ path });
  for (let turn = 1; turn <= Number(count); turn += 1) {
    for (const project of projects) {
      const { number } = ledger.append(project, 'turn_recorded', {
        feature_id: `FEAT-${process.pid}`,
        task_id: 'TASK-1',
        turn_number: turn,
        mode: 'continuing_work',
      });
      process.stdout.write(`${project} ${number}\n`);
    }
  }
  ledger.close();
  process.exit();
});
process.stdout.write('ready\n');
