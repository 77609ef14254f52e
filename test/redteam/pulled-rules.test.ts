import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { recordRemote } from '../../src/enforcement/provenance/trusted-commits.ts';
import { findGitFolder } from '../../src/platform/git/git-folder.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { further, rows } from '../support/thorough.ts';
import { AttackSession } from './attack-session.ts';
import { gitEnvironment, removeTemplate } from './project-template.ts';
import { definitionsOf } from './protected-state.ts';

const RULES = '.guardkit/config.yaml';
const MATES = 'project: shop-1\nverify:\n  tests:\n    command: npm run mates-tests\n';
const AGENTS = 'project: shop-1\nverify:\n  tests:\n    command: "true"\n';

afterAll(removeTemplate);

/** A clone of a bare repository, with a mate who pushes there, and an agent at work. */
class Team {
  readonly session = new AttackSession();
  readonly server = join(this.session.root, 'server.git');
  readonly mate = join(this.session.root, 'mate');

  constructor() {
    const { session, server, mate } = this;
    session.git('clone', '-q', '--bare', '.', server);
    session.git('clone', '-q', server, mate);
    session.git('remote', 'add', 'origin', server);
    session.git('fetch', '-q', 'origin');
    session.git('branch', '-q', '--set-upstream-to=origin/main', 'main');
    const git = findGitFolder(session.folder);
    if (!git) throw new Error('there is no repository');
    const ledger = openLedger({ path: join(session.dataFolder, 'ledger.db') });
    recordRemote(ledger, 'shop-1', git, 'ada');
    ledger.close();
  }

  inMate(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.mate, encoding: 'utf8', env: gitEnvironment() });
  }

  push(text = MATES, branch = 'main'): void {
    writeFileSync(join(this.mate, RULES), text);
    this.inMate('commit', '-qam', 'New rules');
    this.inMate('push', '-q', 'origin', `HEAD:${branch}`);
  }

  inForce(): string | undefined {
    return definitionsOf(this.session).get(RULES);
  }
}

async function begun(): Promise<{ team: Team; session: AttackSession; before: string | undefined }> {
  const team = new Team();
  await team.session.begin();
  await team.session.bash('echo 1 > one.txt');
  return { team, session: team.session, before: team.inForce() };
}

/** The notice at the start of the next session. */
async function notice(session: AttackSession): Promise<string> {
  await session.end();
  session.session = `${session.session}-next`;
  return (await session.begin()).json.systemMessage ?? '';
}

/** What `guardkit status` shows a person as without effect. */
function pendingOf(session: AttackSession): unknown[] {
  const options = { cwd: session.folder, env: session.personEnv(), encoding: 'utf8' } as const;
  return JSON.parse(execFileSync('guardkit', ['status', '--json'], options)).pending;
}

describe('[PULL-1] an agent’s pull', () => {
  it('brings a mate’s rules from the default branch into force', async () => {
    const { team, session } = await begun();
    team.push();
    await session.bash('git pull -q --ff-only');
    expect(session.read(RULES)).toBe(MATES);
    expect(team.inForce()).toBe(MATES);
    expect(await notice(session)).not.toContain(RULES);
  });

  further('does so too if the mate has pushed more in the meantime', async () => {
    const { team, session } = await begun();
    team.push();
    const more = `cd ../mate && git -c user.name=M -c user.email=m@x commit -q --allow-empty -m more && git push -q`;
    await session.bash(`git pull -q --ff-only && (${more})`);
    expect(session.git('rev-parse', 'HEAD')).not.toBe(team.inMate('rev-parse', 'HEAD'));
    expect(team.inForce()).toBe(MATES);
  });

  further(
    'leaves rules of another branch in the files, without effect, and says so at the next session’s start',
    async () => {
      const { team, session, before } = await begun();
      team.push(MATES, 'experiment');
      await session.bash('git pull -q --ff-only origin experiment');
      expect(session.read(RULES)).toBe(MATES);
      expect(team.inForce()).toBe(before);
      const said = (await notice(session)).split('\n').filter((line) => line.includes(RULES));
      expect(said).toHaveLength(1);
      expect(pendingOf(session)).toMatchObject([{ path: RULES, needs: 'acceptance' }]);
      expect(session.read(RULES)).toBe(MATES);
      expect(team.inForce()).toBe(before);
    },
  );

  further('changes no rule if the remote is gone; the last accepted ones hold', async () => {
    const { team, session, before } = await begun();
    team.push();
    await session.bash('git pull -q --ff-only && mv ../server.git ../elsewhere.git');
    expect(team.inForce()).toBe(before);
  });
});

describe('[PULL-2] an agent gains nothing', () => {
  const commit = `printf '%s' '${AGENTS}' > ../rules && cp ../rules .guard*/config.yaml && git commit -qam "Tidy up"`;

  it.each(
    rows(1, [
      ['by moving refs/remotes', `${commit}; git update-ref refs/remotes/origin/main HEAD; git fetch -q`],
      [
        'by moving the remote’s HEAD',
        `${commit}; git symbolic-ref refs/remotes/origin/HEAD refs/heads/main; git fetch -q`,
      ],
      [
        'by another URL of the remote',
        `${commit}; git clone -q --bare . ../own.git; git remote set-url origin "$PWD/../own.git"; git pull -q`,
      ],
      [
        'by rewriting the URL',
        `${commit}; git clone -q --bare . ../own.git; git config url."$PWD/../own.git".insteadOf "$PWD/../server.git"; git pull -q`,
      ],
      ['by pushing a branch of its own', `${commit}; git push -q origin HEAD:refs/heads/mine; git fetch -q`],
    ]),
  )('%s', async (_how, command) => {
    const { team, session, before } = await begun();
    await session.writeTool('tidy.sh', `${command}\n`);
    await session.bash('bash tidy.sh; git fetch -q');
    expect(session.git('show', `HEAD:${RULES}`)).toBe(AGENTS);
    expect(team.inForce()).toBe(before);
    await notice(session);
    expect(team.inForce()).toBe(before);
  });
});

further('[PULL-2] an agent gains nothing by replacing the content of a git object', async () => {
  const { team, session, before } = await begun();
  await session.writeTool(
    'tidy.py',
    `import os, subprocess, zlib
name = subprocess.check_output(['git', 'rev-parse', 'HEAD:' + '.guard' + 'kit/config.yaml'], text=True).strip()
path = '.git/objects/' + name[:2] + '/' + name[2:]
body = ${JSON.stringify(AGENTS)}.encode()
os.chmod(path, 0o644)
open(path, 'wb').write(zlib.compress(b'blob %d\\0' % len(body) + body))
`,
  );
  await session.bash('python3 tidy.py; git fetch -q');
  expect(session.git('cat-file', 'blob', `HEAD:${RULES}`)).toBe(AGENTS);
  expect(before).not.toBe(AGENTS);
  expect(team.inForce()).not.toBe(AGENTS);
});

describe('trust.branches', () => {
  further('names other branches than the default one, once a person has committed it', async () => {
    const team = new Team();
    const { session } = team;
    session.write(RULES, 'project: shop-1\ntrust:\n  branches: [release]\n');
    session.git('commit', '-qam', 'Trust release');
    session.git('push', '-q', 'origin', 'HEAD:release', 'HEAD:main');
    team.inMate('pull', '-q', 'origin', 'main');
    await session.begin();
    await session.bash('echo 1 > one.txt');
    const text = `${session.read(RULES)}verify:\n  tests:\n    command: npm run mates-tests\n`;
    team.push(`${text}# not yet\n`, 'main');
    await session.bash('git pull -q --ff-only origin main');
    expect(team.inForce()).not.toContain('not yet');
    team.inMate('push', '-q', 'origin', 'HEAD:release');
    await session.bash('git pull -q --ff-only origin release');
    expect(team.inForce()).toContain('not yet');
  });
});
