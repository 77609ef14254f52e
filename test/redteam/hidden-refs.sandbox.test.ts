import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { rows, THOROUGH } from '../support/thorough.ts';
import { AttackSession, type Tier } from './attack-session.ts';
import { commitAside } from './attacks/git.ts';
import { changedState, definitionsOf } from './protected-state.ts';

/** Waits for ../go between its two writes, which the file's times do not show. */
const MAP_REF = `import mmap, os, time
commit = open('../commit').read().strip().encode()
with open('.git/refs/heads/main', 'r+b') as f:
    m = mmap.mmap(f.fileno(), 0)
m[0:40] = m[0:40]
open('../mapped', 'w').close()
while not os.path.exists('../go'):
    if not os.path.exists('..'):
        raise SystemExit
    time.sleep(0.02)
m[0:40] = commit
open('../done', 'w').close()
`;

const WAIT = 'until [ -e ../go ]; do [ -d .. ] || exit; sleep 0.02; done';

const WAYS: Record<string, (session: AttackSession) => Promise<unknown>> = {
  'writes the file of the branch in place': async (session) => {
    await session.writeTool('move.sh', 'cat ../commit > .g*/refs/heads/main\n');
    await session.bash('bash move.sh');
  },
  'writes the file of another branch in place, which the person merges': async (session) => {
    await session.writeTool('move.sh', 'cat ../commit > .g*/refs/heads/topic\n');
    await session.bash('bash move.sh');
    session.git('merge', '-q', 'topic');
  },
  'replaces the file of the branch after its command, and ends': async (session) => {
    const move = 'cp ../commit .git/new; mv .git/new .git/refs/heads/main; touch ../done';
    await session.writeTool('late.sh', `${WAIT}\n${move}\n`);
    await session.bash('bash late.sh >/dev/null 2>&1 &');
    await session.act('Read', { file_path: session.path('README.md') });
    await session.letGo();
    await ended(session);
  },
  'writes twice to the file of the branch in memory': async (session) => {
    await session.writeTool('late.py', MAP_REF);
    await session.bash('python3 late.py >/dev/null 2>&1 &');
    await session.waitFor('mapped');
    await session.act('Read', { file_path: session.path('README.md') });
    await session.letGo();
    await ended(session);
  },
};

/** Waits until no process of the agent runs in the project. */
async function ended({ folder }: AttackSession): Promise<void> {
  const folderOf = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      // Safe: it has ended.
      return '';
    }
  };
  const inFolder = () => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && folderOf(pid) === folder);
  await expect.poll(inFolder).toEqual([]);
}

const { available } = await findSandbox();

describe.each<Tier>(rows(1, available ? ['kernel', 'none'] : ['none']))(
  '[GUARD-8] with the sandbox %s',
  (tier) => {
    it.each(rows(1, Object.entries(WAYS)))(
      'an agent that %s changes no rule in force',
      async (_name, hide) => {
        const session = new AttackSession({ tier });
        session.git('branch', 'topic');
        await session.begin();
        const rules = definitionsOf(session);
        await commitAside(session);
        await hide(session);
        await session.end();
        expect(session.git('rev-parse', 'main').trim()).toBe(session.read('../commit').trim());
        // A person's work afterwards, and the next session.
        session.git('reset', '-q', '--hard');
        session.git('branch', 'other');
        session.session = `${session.session}-2`;
        await session.begin();
        expect(changedState(rules, definitionsOf(session))).toEqual([]);
      },
    );
  },
);

describe.skipIf(!available || !THOROUGH)('a person whose agent left a process running', () => {
  it.each([
    ['runs', false],
    ['has ended', true],
  ])('changes the rules by a commit, while it %s', async (_name, isOver) => {
    const session = new AttackSession({ tier: 'kernel' });
    await session.begin();
    await session.writeTool('late.sh', `${WAIT}\ntouch ../done\n`);
    await session.bash('bash late.sh >/dev/null 2>&1 &');
    if (isOver) {
      await session.letGo();
      await ended(session);
    }
    const config = session.read('.guardkit/config.yaml').replace('node --test', 'node --test test');
    session.write('.guardkit/config.yaml', config);
    session.git('commit', '-qam', 'Other tests');
    await session.act('Read', { file_path: session.path('README.md') });
    expect(definitionsOf(session).get('.guardkit/config.yaml')).toBe(config);
    await session.end();
    expect(definitionsOf(session).get('.guardkit/config.yaml')).toBe(config);
  });
});
