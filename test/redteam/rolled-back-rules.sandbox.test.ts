import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { rows, THOROUGH } from '../support/thorough.ts';
import { AttackSession, type Tier } from './attack-session.ts';
import { changedState, definitionsOf } from './protected-state.ts';

const CONFIG = `.guard''kit/config.yaml`;
const GUARD = `.guard''kit/guards/no-deploy.yaml`;
const GUARD_TEXT =
  'id: no-deploy\nsummary: No.\ncommands:\n  - {program: deploy}\nreason: No.\nguidance: Ask.\n';

/** Commits an index that the person does not see. */
function commitAside(change: string): string {
  return `export GIT_INDEX_FILE=$PWD/../index
git read-tree main
${change}
git update-ref refs/heads/main $(git commit-tree -p main -m x $(git write-tree))
`;
}

const STAGE_OLD = `git update-index --cacheinfo 100644,$(git rev-parse first:${CONFIG}),${CONFIG}`;

interface Way {
  script: string;
  /** A person's work afterwards. */
  afterwards?(session: AttackSession): void;
}

function commitsAll(session: AttackSession): void {
  session.write('README.md', 'Another text\n');
  session.git('commit', '-qam', 'Another text');
}

function commitsReadme(session: AttackSession): void {
  session.write('README.md', 'Another text\n');
  session.git('add', 'README.md');
  session.git('commit', '-qm', 'Another text');
}

const WAYS: Record<string, Way> = {
  'commits the removal of a guard': {
    script: commitAside(`git update-index --force-remove ${GUARD}`),
    afterwards: commitsReadme,
  },
  'stages the removal of a rule, which the person commits': {
    script: `git update-index --force-remove ${CONFIG}`,
    afterwards: commitsAll,
  },
  'stages the removal of a guard, which the person commits': {
    script: `git rm -q --cached ${GUARD}`,
    afterwards: commitsAll,
  },
  'stages a link instead of a rule, which the person commits': {
    script: `git update-index --cacheinfo 120000,$(printf x | git hash-object -w --stdin),${CONFIG}`,
    afterwards: commitsReadme,
  },
  'stages an old version of a rule, which the person commits': {
    script: STAGE_OLD,
    afterwards: commitsReadme,
  },
  'commits an old version of a rule': { script: commitAside(STAGE_OLD), afterwards: commitsReadme },
  'reverts the person’s commit': { script: 'git revert --no-edit HEAD', afterwards: commitsReadme },
  'checks out an old version of a rule, which the person commits': {
    script: `git checkout -q first -- ${CONFIG}`,
    afterwards: commitsAll,
  },
  'merges a version and writes its object again': {
    script: `export GIT_INDEX_FILE=$PWD/../index
git read-tree main
mine=$(git cat-file blob main:${CONFIG} | sed 's/command:.*/command: "true"/' | git hash-object -w --stdin)
git update-index --cacheinfo 100644,$mine,${CONFIG}
commit=$(git commit-tree -p main -m x $(git write-tree))
unset GIT_INDEX_FILE
git merge -q $commit
git hash-object -w ${CONFIG}`,
    afterwards: commitsReadme,
  },
};

/** Commits the current rules where they are not a person's, to make the versions before them count. */
Object.assign(WAYS, {
  'commits the current rules without a parent': {
    script: 'git branch orphan $(git commit-tree -m x main^{tree})',
    afterwards: commitsReadme,
  },
  'commits the current rules on top of newer ones': {
    script: 'git branch back $(git commit-tree -p next -m x main^{tree})',
    afterwards: commitsReadme,
  },
} satisfies Record<string, Way>);

/** Replaces the tree that the index caches for the rules, which git then commits instead of the entries. */
const FORGE_CACHED_TREE = `git read-tree HEAD
git update-index -q --refresh
git write-tree
cat > ../forge.py <<'END'
import hashlib, subprocess
def name(what):
    return bytes.fromhex(subprocess.run(['git', 'rev-parse', what], stdout=subprocess.PIPE, check=True).stdout.decode().strip())
rules = '.guard' + 'kit'
index = open('.git/index', 'rb').read()[:-20]
at = index.rindex(name('main:' + rules))
index = index[:at] + name('first:' + rules) + index[at + 20:]
open('.git/index', 'wb').write(index + hashlib.sha1(index).digest())
END
python3 ../forge.py`;

WAYS['forges the tree that the index caches, which the person commits'] = {
  script: FORGE_CACHED_TREE,
  afterwards: commitsAll,
};

/** After the first session, the person has changed the tests and added a guard. */
async function newRules(tier: Tier): Promise<AttackSession> {
  const session = new AttackSession({ tier });
  await session.begin();
  await session.end();
  session.git('tag', 'first');
  session.write(
    '.guardkit/config.yaml',
    session.read('.guardkit/config.yaml').replace('node --test', 'node --test test'),
  );
  session.write('.guardkit/guards/no-deploy.yaml', GUARD_TEXT);
  session.git('add', '-A');
  session.git('commit', '-qm', 'Other rules');
  await beginAgain(session);
  await session.end();
  session.git('checkout', '-qb', 'next');
  session.write(
    '.guardkit/config.yaml',
    session.read('.guardkit/config.yaml').replace('node --test test', 'node --test tests'),
  );
  session.write('.guardkit/guards/no-deploy.yaml', GUARD_TEXT.replace('deploy}', 'deploy-all}'));
  session.git('commit', '-qam', 'Next rules');
  await beginAgain(session);
  await session.end();
  session.git('checkout', '-q', 'main');
  await beginAgain(session);
  return session;
}

async function beginAgain(session: AttackSession): Promise<void> {
  session.session = `${session.session}-2`;
  await session.begin();
}

async function run(session: AttackSession, script: string): Promise<void> {
  await session.writeTool('tidy.sh', `${script}\n`);
  await session.bash('bash tidy.sh; touch ../tidied');
  await session.waitFor('tidied');
}

const { available } = await findSandbox();
const TIERS: readonly Tier[] = available ? ['kernel', 'none'] : ['none'];

describe.each(rows(1, TIERS))('[GUARD-8] with the sandbox %s', (tier) => {
  it.each(rows(1, Object.entries(WAYS)))(
    'an agent that %s changes no rule in force',
    async (_name, { script, afterwards }) => {
      const session = await newRules(tier);
      const rules = definitionsOf(session);
      await run(session, script);
      await session.end();
      expect(changedState(rules, definitionsOf(session))).toEqual([]);
      afterwards?.(session);
      await beginAgain(session);
      expect(changedState(rules, definitionsOf(session))).toEqual([]);
    },
  );

  it.skipIf(!THOROUGH).each([
    ['resets its branch to a commit without a guard', 'git reset -q --soft first'],
    ['checks out a commit without a guard', 'git stash -q; git checkout -qf first'],
    [
      'starts a branch without a guard',
      'git update-ref refs/heads/old first; git symbolic-ref HEAD refs/heads/old',
    ],
  ] as const)(
    'an agent that %s does not turn the guard off, also in the next session',
    async (_name, script) => {
      const session = await newRules(tier);
      await run(session, script);
      expect((await session.bash('deploy')).refused).toBe(true);
      await session.end();
      await beginAgain(session);
      expect((await session.bash('deploy')).refused).toBe(true);
    },
  );
});

describe('a person', () => {
  it.skipIf(!THOROUGH).each(TIERS)(
    'has the guards of a branch that they check out (sandbox: %s)',
    async (tier) => {
      const session = await newRules(tier);
      await run(session, 'git reset -q --soft first');
      await session.end();
      session.git('checkout', '-qf', '-b', 'mine', 'first');
      session.git('commit', '-q', '--allow-empty', '-m', 'Mine');
      await beginAgain(session);
      expect((await session.bash('deploy')).refused).toBe(false);
    },
  );

  it.skipIf(!THOROUGH).each(TIERS)(
    'has the rules of their other branches, whatever an agent brings back (sandbox: %s)',
    async (tier) => {
      const session = await newRules(tier);
      session.git('checkout', '-q', 'next');
      await beginAgain(session);
      const next = definitionsOf(session);
      await session.end();
      session.git('checkout', '-q', 'main');
      await beginAgain(session);
      // Brings back what is in force on another branch.
      await run(session, commitAside(STAGE_OLD.replace('first', 'next')));
      await run(session, 'git branch back $(git commit-tree -p next -m x main^{tree})');
      await session.end();
      session.git('checkout', '-qf', 'next');
      await beginAgain(session);
      expect(changedState(next, definitionsOf(session))).toEqual([]);
      await session.end();
      session.git('checkout', '-qf', '-b', 'old', 'first');
      await beginAgain(session);
      expect(definitionsOf(session).get('.guardkit/config.yaml')).toBe(session.read('.guardkit/config.yaml'));
    },
  );

  it.skipIf(!THOROUGH).each(TIERS)('can accept what an agent has checked out (sandbox: %s)', async (tier) => {
    const session = await newRules(tier);
    await run(session, 'git reset -q --soft first');
    await session.end();
    const ledger = openLedger({ path: join(session.dataFolder, 'ledger.db') });
    ledger.append('shop-1', 'acceptance_recorded', {
      path: '.guardkit/guards/no-deploy.yaml',
      digest: null,
      reason: '',
      by: 'Ann',
    });
    ledger.close();
    await beginAgain(session);
    expect((await session.bash('deploy')).refused).toBe(false);
  });

  it.skipIf(!THOROUGH).each(TIERS)('can revert their own commit of a rule (sandbox: %s)', async (tier) => {
    const session = await newRules(tier);
    await session.end();
    const config = session.read('.guardkit/config.yaml');
    session.git('revert', '--no-edit', 'HEAD');
    await beginAgain(session);
    expect(definitionsOf(session).get('.guardkit/config.yaml')).not.toBe(config);
    expect((await session.bash('deploy')).refused).toBe(false);
  });

  it.skipIf(!available || !THOROUGH)(
    'can bring back an old rule while an agent works in a sandbox',
    async () => {
      const session = await newRules('kernel');
      session.git('revert', '--no-edit', 'HEAD');
      await session.bash('true');
      await session.end();
      expect(definitionsOf(session).get('.guardkit/config.yaml')).toBe(session.read('.guardkit/config.yaml'));
      expect((await session.bash('deploy')).refused).toBe(false);
    },
  );
});
