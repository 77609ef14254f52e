import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentSandbox } from '../../../src/orchestration/drivers/agent-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const status = {
  available: true as const,
  kind: 'bubblewrap' as const,
  program: '/usr/bin/bwrap',
  version: '0',
};

it('a read-only role cannot write in the folder; elsewhere the policy applies', () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(folder, 'cache'));
  const policy = {
    writable: [folder, join(folder, 'cache'), other],
    readOnly: ['/a'],
    hidden: ['/b'],
    network: 'loopback' as const,
  };
  const request = { folder, access: 'read' as const, sandbox: { status, policy } };
  expect(agentSandbox(request, { network: 'host' })?.policy).toEqual({
    writable: [other],
    readOnly: ['/a', folder],
    hidden: ['/b'],
    network: 'host',
  });
  expect(agentSandbox({ ...request, access: 'write' })?.policy).toEqual(policy);
});

it('without an available sandbox there is none', () => {
  expect(agentSandbox({ folder: '/', access: 'write', sandbox: undefined })).toBeUndefined();
});
