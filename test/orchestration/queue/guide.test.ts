import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { DBOS_VERSION } from '../../../src/orchestration/queue/load-dbos.ts';

const read = (name: string) => readFileSync(new URL(`../../../docs/guide/${name}`, import.meta.url), 'utf8');

const SOURCES = fileURLToPath(new URL('../../../src', import.meta.url));

interface Service {
  build?: { dockerfile_inline: string };
  command?: string[];
  volumes: string[];
  environment?: Record<string, string>;
}

it('[MANY-2] the guide and compose.yaml install the engine that GuardKit is tested with', () => {
  for (const name of ['many-machines.md', 'compose.yaml']) {
    const versions = [...read(name).matchAll(/@dbos-inc\/dbos-sdk@([\d.]+)/g)].map(([, version]) => version);
    expect([name, versions]).toEqual([name, [DBOS_VERSION]]);
  }
});

it('[MANY-2] compose.yaml has a server, a remote, and two workers that differ only in their data', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, null>;
  };
  expect(Object.keys(services)).toEqual(['postgres', 'remote', 'worker-1', 'worker-2']);
  const { volumes: first, ...one } = services['worker-1'] as Service;
  const { volumes: second, ...two } = services['worker-2'] as Service;
  expect(two).toEqual(one);
  expect(one.environment).toHaveProperty('GUARDKIT_DATABASE_URL');
  // As root, bubblewrap needs rights that a container does not have.
  expect(one.build?.dockerfile_inline.trimEnd().split('\n').at(-1)).toBe('USER node');
  // Its folder exists before, or Docker would make it root's; the clone and GuardKit's data are both kept in it.
  const folder = first[0]?.split(':')[1] ?? '';
  expect(one.build?.dockerfile_inline).toContain(`install --directory --owner=node ${folder}\n`);
  expect(one.environment?.GUARDKIT_HOME).toMatch(new RegExp(`^${folder}/`));
  expect(one.command?.at(-1)).toContain(`cd ${folder}/project `);
  expect(one.command?.at(-1)).toContain('exec guardkit worker');
  expect(first).not.toEqual(second);
  const used = Object.values(services).flatMap((service) => service.volumes.map((one) => one.split(':')[0]));
  expect(used.sort()).toEqual(Object.keys(volumes).sort());
});

it('[MANY-2] the systemd unit restarts a worker and ends its agents with it', () => {
  const unit = read('guardkit-worker.service');
  for (const line of ['Restart=always', 'KillMode=control-group']) expect(unit.split('\n')).toContain(line);
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/env guardkit worker/m);
});

const ANALYZE = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find(existsSync);

it.skipIf(ANALYZE === undefined)('[MANY-2] systemd finds nothing wrong with the unit', () => {
  const unit = fileURLToPath(new URL('../../../docs/guide/guardkit-worker.service', import.meta.url));
  const { stderr, status } = spawnSync(String(ANALYZE), ['verify', '--man=no', unit], { encoding: 'utf8' });
  // It also reports about other units of the machine.
  expect(stderr.split('\n').filter((line) => line.includes('guardkit-worker.service'))).toEqual([]);
  expect(status).toBe(0);
});

/** The words of each call of the program in a text: code in Markdown, lines of shell and of the unit. */
function calls(text: string): string[][] {
  const line = /(?:^|`|&& |exec |\/env )guardkit ((?:(?!&&)[^`#\n])+)/gm;
  return [...text.matchAll(line)].map(([, words = '']) => words.trim().split(/\s+/));
}

/** Options by command, from the reference, which is generated from the program. */
function referenceCommands(): Map<string, string[]> {
  const sections = read('../reference/cli.md')
    .split(/^#+ guardkit /m)
    .slice(1);
  return new Map(
    sections.map((section) => [
      section.split('\n')[0] ?? '',
      [...section.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option = '']) => option),
    ]),
  );
}

it.each(['many-machines.md', 'compose.yaml', 'guardkit-worker.service'])(
  '[MANY-2] every command and option of the program in %s exists',
  (name) => {
    const known = referenceCommands();
    const found = calls(read(name));
    expect(found.length).toBeGreaterThan(0);
    for (const words of found) {
      const options = known.get(words.slice(0, 2).join(' ')) ?? known.get(words[0] ?? '');
      expect(options, words.join(' ')).toBeDefined();
      expect(options).toEqual(expect.arrayContaining(words.filter((word) => word.startsWith('--'))));
    }
  },
);

it('[MANY-2] every variable that the guide sets for the program is one that the program reads', () => {
  const files = ['many-machines.md', 'compose.yaml', 'guardkit-worker.service'].map(read).join('\n');
  const named = new Set(files.match(/\bGUARDKIT_[A-Z_]+/g));
  // Only compose.yaml itself reads the password, to put it into the address.
  named.delete('GUARDKIT_PASSWORD');
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
    .join('\n');
  expect([...named].filter((name) => !sources.includes(name))).toEqual([]);
  expect(named).toContain('GUARDKIT_DATABASE_URL');
});
