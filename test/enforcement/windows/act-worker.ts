import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { closeWindow } from '../../../src/enforcement/windows/close-window.ts';
import { openWindow } from '../../../src/enforcement/windows/open-window.ts';
import { readProcess } from '../../../src/platform/process-table.ts';
import { placeIn } from './place-in.ts';

// Acts again and again, once told to on its input, each time changing and adding protected files, as an agent would.
const [folder = '', session = '', count = '0'] = process.argv.slice(2);
const place = placeIn(folder);
const agentProcess = readProcess(process.pid);

createInterface({ input: process.stdin }).once('line', () => {
  for (let number = 1; number <= Number(count); number += 1) {
    const action = {
      session,
      action: `${session}-${number}`,
      agent: 'claude',
      agentProcess,
      runs: false,
      summary: 'x',
    };
    openWindow(place, action);
    try {
      writeFileSync(join(place.checkout, '.guardkit', 'config.yaml'), `project: ${session}-${number}\n`);
    } catch {
      // Another one has just removed the folder.
    }
    writeFileSync(join(place.checkout, 'tasks', `TASK-${session}.md`), '# Mine\n');
    if (number % 3 === 0) rmSync(join(place.checkout, '.guardkit'), { recursive: true, force: true });
    closeWindow(place, action);
    process.stdout.write(`${number}\n`);
  }
  place.ledger.close();
  process.exit();
});
process.stdout.write('ready\n');
