import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/config/yaml/yaml-file.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { activeWaivers, MAX_WAIVER_MS, useWaivers } from '../../../src/store/ledger/waivers.ts';
import { Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';
import { expectFaults, fileAndLine } from '../../support/expect-faults.ts';

let sandbox: Sandbox;
const sandboxes: Sandbox[] = [];
beforeEach(() => {
  sandbox = new Sandbox();
  sandboxes.push(sandbox);
  sandbox.repository('shop');
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop\nguards:\n  secrets: off\n');
});
afterAll(() => {
  for (const one of sandboxes) one.cleanup();
});

const OWN = `id: no-raw-sql
summary: Migrations are made by the tool.
paths: [db/migrations/**]
reason: Migrations are made by the tool.
guidance: Run npm run migration.
`;

/** Only what is committed is in force. */
function commit(): void {
  sandbox.git('shop', 'add', '-A');
  sandbox.commit('shop', 'Guards');
}

async function guard(args: readonly string[], options: { person?: boolean; input?: string } = {}) {
  return sandbox.guardkit(['guard', ...args], { in: 'shop', ...options });
}

function failure(args: readonly string[], options: { person?: boolean; input?: string } = {}) {
  return sandbox.failure(['guard', ...args], { in: 'shop', ...options });
}

async function json(args: readonly string[], options: { person?: boolean; input?: string } = {}) {
  const { stdout, ...rest } = await guard([...args, '--json'], options);
  return { ...rest, json: JSON.parse(stdout) as Record<string, unknown> };
}

function ledger<Result>(read: (opened: ReturnType<typeof openLedger>) => Result): Result {
  const opened = openLedger({ path: sandbox.path('data', 'ledger.db') });
  try {
    return read(opened);
  } finally {
    opened.close();
  }
}

describe('guardkit guard list', () => {
  it('lists built-in and own guards with their modes', async () => {
    sandbox.write('shop/.guardkit/guards/sql.yaml', OWN);
    commit();
    const listed = await json(['list']);
    expect(listed.exitCode).toBe(0);
    const guards = listed.json.guards as object[];
    expect(guards).toHaveLength(14);
    expect(guards).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'secrets', mode: 'off' }),
        expect.objectContaining({ id: 'block-direct-edit', mode: 'enforce', sessions: 'driven' }),
        expect.objectContaining({ id: 'no-raw-sql', mode: 'enforce', file: '.guardkit/guards/sql.yaml' }),
      ]),
    );
    expect((await guard(['list'])).stdout).toMatch(/^ {2}no-raw-sql +enforce +Migrations are made/m);
  });

  it('says which guards have expired', async () => {
    sandbox.write('shop/.guardkit/guards/sql.yaml', `${OWN}expires: 2020-01-01\n`);
    commit();
    expect((await json(['list'])).json.guards).toContainEqual(
      expect.objectContaining({ id: 'no-raw-sql', expired: true }),
    );
    expect((await json(['show', 'no-raw-sql'])).json).toMatchObject({
      expired: true,
      expires: expect.stringMatching(/^2020-01-02T/),
    });
  });

  it('tells faults beside the guards that hold', async () => {
    sandbox.write('shop/.guardkit/guards/sql.yaml', `${OWN}desision: ask\n`);
    const { exitCode, stdout, stderr } = await guard(['list']);
    expect([exitCode, stdout.includes('no-raw-sql')]).toEqual([0, false]);
    expect(stderr).toMatch(/\.guardkit\/guards\/sql\.yaml:6:1: .*"desision".*decision/);
  });
});

it('guardkit config check tells faults of guards, and of modes of guards that nobody has', async () => {
  sandbox.write('shop/.guardkit/guards/sql.yaml', OWN.replace('reason:', 'reasons:'));
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop\nguards:\n  secret: off\n');
  const { exitCode, stdout } = await sandbox.guardkit(['config', 'check', '--json'], { in: 'shop' });
  expect(exitCode).toBe(1);
  const { faults } = JSON.parse(stdout) as { faults: Fault[] };
  expectFaults(
    faults.filter(({ code }) => code !== 'missing'),
    [
      '.guardkit/config.yaml:3:3 unknown-guard "secret" secrets',
      '.guardkit/guards/sql.yaml:4:1 unknown-key "reasons" reason',
    ],
    fileAndLine,
  );
});

describe('guardkit guard show', () => {
  it('shows what a guard says', async () => {
    sandbox.write('shop/.guardkit/guards/sql.yaml', OWN);
    expect((await guard(['show', 'no-raw-sql'])).stdout).toContain('Run npm run migration.');
    expect((await json(['show', 'protected-set'])).json).toMatchObject({
      id: 'protected-set',
      mode: 'enforce',
      origin: 'built-in',
      waivers: [],
    });
  });

  it('names the guard that was probably meant', async () => {
    const failed = await failure(['show', 'protected']);
    expect(failed.exitCode).toBe(2);
    expectFailure(failed, 'guard.unknown "protected" protected-set');
  });
});

describe('guardkit guard test', () => {
  const payload = (command: string) => ({
    session_id: 's',
    cwd: sandbox.path('shop'),
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: 't',
    tool_input: { command },
  });

  it('judges a payload of Claude Code by all guards', async () => {
    const file = sandbox.write('payload.json', payload('rm -rf .guardkit'));
    expect(await json(['test', '--action', file])).toMatchObject({
      exitCode: 1,
      json: { decision: 'deny', findings: [{ guard: 'protected-set' }] },
    });
  });

  it('allows what is harmless, with exit 0', async () => {
    const file = sandbox.write('payload.json', payload('npm test'));
    expect(await json(['test', '--action', file])).toMatchObject({
      exitCode: 0,
      json: { decision: 'allow', findings: [] },
    });
  });

  it('judges a plain action by one file', async () => {
    const own = sandbox.write('shop/draft.yaml', OWN);
    const action = (command: string) => JSON.stringify({ kind: 'command', command });
    const asked = (input: string) => json(['test', own, '--action', '-'], { input });
    expect((await asked(action('echo x > db/migrations/1.sql'))).json).toMatchObject({ decision: 'deny' });
    expect((await asked(action('echo x > src/1.sql'))).json).toMatchObject({ decision: 'allow' });
  });

  it('says that the file of a guard is not there, rather than what is missing in it', async () => {
    const failed = await failure(['test', 'draft.yml', '--action', '-'], {
      input: '{"kind": "command", "command": "ls"}',
    });
    expect(failed.exitCode).toBe(2);
    expectFailure(failed, 'file.unreadable draft.yml');
  });

  it('judges as in a driven session, by another agent, and where nobody can be asked', async () => {
    const action = (request: object) => ({ input: JSON.stringify(request) });
    const edit = action({ kind: 'write', path: 'src/a.ts', content: 'x' });
    const decision = async (args: readonly string[], input: { input: string }) =>
      String((await json(['test', '--action', '-', ...args], input)).json.decision);
    expect([await decision([], edit), await decision(['--driven'], edit)]).toEqual(['allow', 'deny']);
    expect(await decision(['--driven', '--agent-type', 'coding'], edit)).toBe('allow');
    const reset = action({ kind: 'command', command: 'git reset --hard' });
    expect([await decision([], reset), await decision(['--unattended'], reset)]).toEqual(['ask', 'deny']);
  });

  it.each(['no json', '{}', '{"hook_event_name": "SessionStart", "session_id": "s", "cwd": "/"}'])(
    'refuses what is no action: %s',
    async (input) => {
      const { exitCode, stderr } = await guard(['test', '--action', '-'], { input });
      expect(exitCode).toBe(2);
      expect(stderr).toContain('✗');
    },
  );
});

describe('guardkit guard allow', () => {
  const once = ['allow', 'protected-set', '--once', '--reason', 'the hooks move'];

  it('lets a person pass a guard once, until it is used', async () => {
    expect(await json(once, { person: true, input: 'protected-set\n' })).toMatchObject({
      exitCode: 0,
      json: { issued: true, waiver: { waiver_id: expect.stringMatching(/^w-[0-9a-f]{8}$/), uses: 1 } },
    });
    const used = ledger((opened) => {
      const [waiver] = activeWaivers(opened, 'shop', Date.now());
      const use = {
        waiver_id: waiver?.id ?? '',
        guard: 'protected-set',
        session: 's',
        agent: 'claude',
        agent_type: null,
        action: 'Write .guardkit/config.yaml',
      };
      return [
        waiver?.uses,
        useWaivers(opened, 'shop', [use], Date.now()),
        useWaivers(opened, 'shop', [use], Date.now()),
        activeWaivers(opened, 'shop', Date.now()),
      ];
    });
    expect(used).toEqual([1, true, false, []]);
    expect((await json(['waivers'])).json).toMatchObject({
      waivers: [],
      used: [{ guard: 'protected-set', action: 'Write .guardkit/config.yaml' }],
    });
  });

  it('lets a person pass one for a time, and take that back', async () => {
    const { json: issued } = await json(['allow', 'secrets', '--for', '30m', '--reason', 'x'], {
      person: true,
      input: 'secrets\n',
    });
    const { waiver_id: id } = issued.waiver as { waiver_id: string };
    expect((await json(['waivers'])).json.waivers).toMatchObject([{ id, guard: 'secrets' }]);
    const at = (ms: number) => ledger((opened) => activeWaivers(opened, 'shop', Date.now() + ms).length);
    expect([at(0), at(29 * 60_000), at(31 * 60_000), at(MAX_WAIVER_MS + 1)]).toEqual([1, 1, 0, 0]);
    expect((await guard(['revoke', id])).exitCode).toBe(1);
    expect(at(0)).toBe(1);
    expect((await guard(['revoke', id], { person: true })).exitCode).toBe(0);
    expect(at(0)).toBe(0);
    expect((await guard(['revoke', id], { person: true })).exitCode).toBe(2);
  });

  it('refuses anybody else, and records that', async () => {
    expect(await failure(once)).toMatchObject({ exitCode: 1, code: 'person.needed' });
    const entries = ledger((opened) => opened.entries('shop').map(({ kind, body }) => [kind, body.guard]));
    expect(entries).toEqual([['waiver_refused', 'protected-set']]);
  });

  it.each(['n\n', 'y\n', 'yes\n', 'secrets\n', 'protected\n', '\n', ''])(
    'needs the guard’s name typed: %j is not enough',
    async (input) => {
      const { exitCode, json: answer } = await json(once, { person: true, input });
      expect(exitCode).toBe(1);
      expect(answer).toMatchObject({ error: { code: 'waiver.declined' } });
      expect(ledger((opened) => opened.entries('shop'))).toEqual([]);
    },
  );

  it('has no option that skips the confirmation', async () => {
    const { exitCode } = await guard([...once, '--yes'], { person: true, input: 'protected-set\n' });
    expect(exitCode).toBe(2);
    expect(ledger((opened) => opened.entries('shop'))).toEqual([]);
  });

  it('records nothing when the person only asks what would happen', async () => {
    expect((await json([...once, '--dry-run'])).json).toMatchObject({ issued: false });
    expect(ledger((opened) => opened.entries('shop'))).toEqual([]);
  });

  it.each([
    ['no reason', ['allow', 'secrets', '--once']],
    ['neither once nor a time', ['allow', 'secrets', '--reason', 'x']],
    ['both', ['allow', 'secrets', '--once', '--for', '1h', '--reason', 'x']],
    ['too long a time', ['allow', 'secrets', '--for', '25h', '--reason', 'x']],
    ['no time', ['allow', 'secrets', '--for', 'ever', '--reason', 'x']],
    ['an unknown guard', ['allow', 'secret', '--once', '--reason', 'x']],
  ])('refuses %s', async (_what, args) => {
    expect((await guard(args, { person: true, input: 'y\n' })).exitCode).toBe(2);
  });

  it.each(['block-tested-true', 'waiver-forgery'])('never for %s', async (id) => {
    const failed = await failure(['allow', id, '--once', '--reason', 'x'], { person: true, input: 'y\n' });
    expect(failed).toMatchObject({ exitCode: 1, code: 'waiver.impossible' });
  });
});
