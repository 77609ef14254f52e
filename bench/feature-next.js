import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainEnvironment, summary, timed } from './hook.js';
import { makeFeature } from './make-feature.js';

const FEATURES = 1_000;
const ROUNDS = 25;
const PROGRAM = fileURLToPath(new URL('../bin/guardkit', import.meta.url));

/** Time of `guardkit feature next` among a thousand features, as a whole process, alternating with a bare Node. */
export function measureFeatureNext(folder) {
  const root = join(folder, 'next');
  const home = join(folder, 'next-home');
  for (const one of [join(root, '.guardkit'), join(root, '.claude', 'progress'), home])
    mkdirSync(one, { recursive: true });
  writeFileSync(join(root, '.guardkit', 'config.yaml'), 'project: bench\n');
  const features = Array.from({ length: FEATURES }, (_, number) => makeFeature(number));
  writeFileSync(join(root, '.claude', 'progress', 'feature-list.json'), JSON.stringify({ features }));
  const run = (command, args) => {
    const env = { ...plainEnvironment(), GUARDKIT_HOME: home };
    const { status, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  };
  spawnSync('git', ['init', '-q'], { cwd: root });
  // Adopts the list.
  run(PROGRAM, ['feature', 'add', 'One more', '--criterion', 'it is there']);
  const bare = [];
  const next = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [one, other] = [
      timed(() => run(process.execPath, ['-e', '0'])),
      timed(() => run(PROGRAM, ['feature', 'next', '--json'])),
    ];
    if (round === 0) continue;
    bare.push(one);
    next.push(other);
  }
  const by = bare[0].cpu === undefined ? 'wall' : 'cpu';
  const bareMs = summary(bare, by);
  return { by, features: FEATURES, bareMs, ratio: summary(next, by) / bareMs };
}
