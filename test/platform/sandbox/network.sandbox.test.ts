import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { SandboxPolicy } from '../../../src/platform/sandbox/sandbox-policy.ts';
import { runSandboxed } from '../../support/bubblewrap.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((connection) => connection.end('from the machine'));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
});

const CALL = (to: string) =>
  `require('node:net').connect(${to}, '127.0.0.1').on('data', (d) => console.log(String(d)))
    .on('error', (e) => { console.log(e.code); process.exit(1); })`;

async function run(context: TestContext, network: SandboxPolicy['network'], script: string) {
  const cwd = temporaryFolder(context.onTestFinished);
  return runSandboxed(
    context,
    `'${process.execPath}' -e "$SCRIPT"`,
    { cwd, env: { ...process.env, SCRIPT: script } },
    { network },
  );
}

describe('the network of a sandbox', () => {
  it('with loopback lets processes inside reach each other', async (context) => {
    const script = `
      const server = require('node:net').createServer((c) => c.end('from inside'));
      server.listen(0, '127.0.0.1', () => ${CALL('server.address().port')}.on('close', () => server.close()));`;
    expect(await run(context, 'loopback', script)).toMatchObject({ exitCode: 0, stdout: 'from inside\n' });
  });

  it("with loopback does not reach the machine's own servers", async (context) => {
    expect(await run(context, 'loopback', CALL(String(port)))).toMatchObject({
      exitCode: 1,
      stdout: 'ECONNREFUSED\n',
    });
  });

  it('with loopback has no other interface', async (context) => {
    const script = `console.log(Object.keys(require('node:os').networkInterfaces()).join())`;
    expect((await run(context, 'loopback', script)).stdout).toBe('lo\n');
  });

  it("with host is the machine's", async (context) => {
    expect(await run(context, 'host', CALL(String(port)))).toMatchObject({ stdout: 'from the machine\n' });
  });
});
