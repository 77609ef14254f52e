import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { DBOS_VERSION } from '../../../src/orchestration/queue/load-dbos.ts';

const read = (name: string) => readFileSync(new URL(`../../../docs/guide/${name}`, import.meta.url), 'utf8');

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
