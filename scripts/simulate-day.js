// Simulates a random working day of a person and an agent in one repository, and the same day without GuardKit.
//   node scripts/simulate-day.js [--seed 1] [--events 500] [--tier kernel|none] [--keep]
// Prints a line for each difference with the event that caused it, and exits with 1 if there is one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareWorlds, countCommits } from './simulate-day/compare-worlds.js';
import { eventsOf } from './simulate-day/events.js';
import { ControlWorld, GuardedWorld, prepareWorlds } from './simulate-day/worlds.js';

const BUBBLEWRAP = ['/usr/bin/bwrap', '/bin/bwrap'].filter(existsSync).map((path) => realpathSync(path))[0];

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    events: { type: 'string', default: '500' },
    tier: { type: 'string', default: BUBBLEWRAP ? 'kernel' : 'none' },
    keep: { type: 'boolean', default: false },
    masked: { type: 'boolean', default: false },
  },
});

if (values.tier === 'none' && BUBBLEWRAP && !values.masked) process.exit(runWithoutBubblewrap());
process.exit((await simulateDay()) ? 0 : 1);

/** Runs this program again with an empty file in place of bubblewrap. */
function runWithoutBubblewrap() {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-masked-'));
  const empty = join(folder, 'bwrap');
  writeFileSync(empty, '');
  const mask = ['--dev-bind', '/', '/', '--ro-bind', empty, BUBBLEWRAP, '--'];
  const words = [process.execPath, ...process.argv.slice(1), '--masked'];
  const { status } = spawnSync(BUBBLEWRAP, [...mask, ...words], { stdio: 'inherit' });
  rmSync(folder, { recursive: true });
  return status ?? 1;
}

/** Whether both days ended the same. */
async function simulateDay() {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'guardkit-day-'));
  const [seed, count] = [Number(values.seed), Number(values.events)];
  const folders = prepareWorlds(root);
  const guarded = new GuardedWorld(folders.guarded, join(root, 'guarded-points'));
  const control = new ControlWorld(folders.control, join(root, 'control-points'));
  const began = Date.now();
  const differences = [];
  const refusals = [];
  let known = new Set();
  let done = 0;
  let commits = 0;
  try {
    await guarded.begin();
    await control.begin();
    if (guarded.tier !== values.tier)
      throw new Error(`This installation has tier "${guarded.tier}", not "${values.tier}".`);
    for (const event of eventsOf({ seed, count, tier: guarded.tier })) {
      const refused = await guarded.perform(event);
      if (refused) refusals.push(`event ${event.number} (${event.name}): ${refused}`);
      // A refused action happens in neither world.
      await control.perform(event, refused !== undefined);
      const found = compareWorlds(folders.guarded, folders.control);
      for (const line of found.filter((one) => !known.has(one)))
        differences.push(`event ${event.number} (${event.name}${event.during}): ${line}`);
      known = new Set(found);
      done += 1;
    }
    commits = countCommits(folders.guarded);
  } finally {
    await guarded.end();
    await control.end();
    if (values.keep) console.log(`Kept: ${root}`);
    else rmSync(root, { recursive: true, force: true, maxRetries: 20 });
  }
  for (const line of refusals) console.log(`refused: ${line}`);
  for (const line of differences) console.log(`different: ${line}`);
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  console.log(
    `Seed ${seed}, tier ${guarded.tier}: ${done} events and ${commits} commits in ${seconds} s, ${differences.length} differences, ${refusals.length} refusals.`,
  );
  return differences.length === 0 && done === count;
}
