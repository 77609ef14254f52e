import { describe, expect, it } from 'vitest';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { rows, THOROUGH } from '../support/thorough.ts';
import { AttackSession, type Tier } from './attack-session.ts';
import { commitAside } from './attacks/git.ts';
import { changedState, definitionsOf, forgetLeftovers, ledgerState } from './protected-state.ts';

interface Way {
  /** The agent's script; the commit with its rules is in ../commit. */
  script: string;
  /** A person's command afterwards. */
  afterwards(session: AttackSession): string[];
}

const merge = (name: string) => () => ['merge', '-q', name];
const pick = (session: AttackSession) => ['cherry-pick', session.read('../commit').trim()];

const STASH = `index=$(git commit-tree -p main -m index main^{tree})
git stash store $(git commit-tree -p main -p $index -m one $(git rev-parse $(cat ../commit)^{tree}))
git stash store $(git commit-tree -p main -p $index -m two main^{tree})
`;

const PACK = `git rev-list --objects $(cat ../commit) ^main | git pack-objects -q .git/objects/pack/pack
git prune-packed
`;

/** Git cannot read the history of this one. */
const BROKEN = `git cat-file commit main | sed 's/^author/parent 1111111111111111111111111111111111111111\\n&/' > ../broken
git hash-object -t commit -w --literally ../broken
`;

const WAYS: Record<string, Way> = {
  'as ORIG_HEAD': {
    script: 'git reset -q --soft $(cat ../commit); git reset -q --soft HEAD~1\n',
    afterwards: () => ['reset', '-q', '--hard', 'ORIG_HEAD'],
  },
  'without any name': { script: 'true\n', afterwards: pick },
  'as FETCH_HEAD': {
    script: `printf '%s\\t\\tbranch x of .\\n' $(cat ../commit) > .git/FETCH_HEAD\n`,
    afterwards: merge('FETCH_HEAD'),
  },
  'by a link in the place of a ref': {
    script: 'cp ../commit .git/hidden; ln -s ../../hidden .git/refs/heads/mine\n',
    afterwards: merge('mine'),
  },
  'in a linked folder of refs': {
    script: 'mkdir .git/more; cp ../commit .git/more/a; ln -s ../../more .git/refs/heads/mine\n',
    afterwards: merge('mine/a'),
  },
  'by a symbolic ref': {
    script: `cp ../commit .git/HIDDEN_HEAD; echo 'ref: HIDDEN_HEAD' > .git/refs/heads/mine\n`,
    afterwards: merge('mine'),
  },
  'among GuardKit’s refs': {
    script: `git update-ref refs/guard''kit/a $(cat ../commit); git symbolic-ref refs/heads/mine refs/guard''kit/a\n`,
    afterwards: merge('mine'),
  },
  'in an earlier stash': { script: STASH, afterwards: () => ['stash', 'apply', '-q', 'stash@{1}'] },
  'in a pack': { script: PACK, afterwards: pick },
  'beside a broken commit': { script: BROKEN, afterwards: pick },
};

const { available } = await findSandbox();

describe.each<Tier>(rows(1, available ? ['kernel', 'none'] : ['none']))(
  '[GUARD-8] with the sandbox %s',
  (tier) => {
    it.each(rows(1, Object.entries(WAYS)))(
      'an agent that leaves a commit %s, which the person takes, changes no rule in force',
      async (_name, { script, afterwards }) => {
        const session = new AttackSession({ tier });
        await session.begin();
        const rules = definitionsOf(session);
        await commitAside(session);
        await session.writeTool('tidy.sh', script);
        await session.bash('bash tidy.sh; touch ../tidied');
        await session.waitFor('tidied');
        await session.end();
        await forgetLeftovers(session);
        session.git(...afterwards(session));
        session.git('commit', '-qam', 'More', '--allow-empty');
        expect(session.git('show', 'HEAD:.guardkit/config.yaml')).toContain('"true"');
        session.session = `${session.session}-2`;
        await session.begin();
        expect(changedState(rules, definitionsOf(session))).toEqual([]);
      },
    );
  },
);

const CONFIG = '.guardkit/config.yaml';

/** Commits a rule, as a person does. */
function commitRule(session: AttackSession, folder: string, ...more: string[]): void {
  session.write(CONFIG, session.read(CONFIG).replace(/command: .*/, `command: node --test ${folder}`));
  session.git('commit', '-qam', `Tests in ${folder}`, ...more);
}

const read = (session: AttackSession) => session.act('Read', { file_path: session.path('README.md') });

/** A person's work between two actions of an agent. */
const PERSONS: Record<string, (session: AttackSession) => unknown> = {
  'collects garbage': (session) => {
    commitRule(session, 'last');
    session.git('gc', '-q', '--prune=now');
  },
  'amends a commit': async (session) => {
    commitRule(session, 'draft');
    await read(session);
    commitRule(session, 'last', '--amend');
  },
  'repacks everything': (session) => {
    commitRule(session, 'last');
    session.git('repack', '-adq');
  },
  'fetches and merges': (session) => {
    session.git('fetch', '-q', '../other', 'main:refs/remotes/other/main');
    session.git('merge', '-q', 'other/main');
  },
  'rebases commits': (session) => {
    session.git('checkout', '-q', '-b', 'side');
    commitRule(session, 'draft');
    commitRule(session, 'last');
    session.git('checkout', '-q', 'main');
    session.write('README.md', 'Another text\n');
    session.git('commit', '-qam', 'Another text');
    session.git('rebase', '-q', 'main', 'side');
  },
};

describe.skipIf(!available || !THOROUGH)('beside an agent, a person', () => {
  it.each(Object.entries(PERSONS))('%s, and nothing is held back', async (_name, work) => {
    const session = new AttackSession({ tier: 'kernel' });
    commitRule(session, 'first');
    session.git('clone', '-q', '.', '../other');
    const other = session.read(CONFIG).replace('node --test first', 'node --test last');
    session.write('../other/.guardkit/config.yaml', other);
    session.git('-C', '../other', 'commit', '-qam', 'Tests in last');
    await session.begin();
    await session.bash('touch one');
    await work(session);
    await read(session);
    await session.bash('touch two');
    await session.end();
    expect(definitionsOf(session).get(CONFIG)).toContain('node --test last');
    expect(ledgerState(session).recorded.filter((one) => one.startsWith('definition_proposed'))).toEqual([]);
  });
});
