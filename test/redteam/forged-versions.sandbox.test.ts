import { describe, expect, it } from 'vitest';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { rows, THOROUGH } from '../support/thorough.ts';
import { AttackSession, type Tier } from './attack-session.ts';
import { commitAside } from './attacks/git.ts';
import { changedState, definitionsOf } from './protected-state.ts';

/** Writes other content under the id of an object. */
const FORGE = `import os, subprocess, zlib
def git(*words):
    return subprocess.run(['git', *words], stdout=subprocess.PIPE, check=True).stdout
def name(what):
    return git('rev-parse', what).decode().strip()
def forge(id, kind, data):
    path = '.git/objects/%s/%s' % (id[:2], id[2:])
    os.remove(path)
    open(path, 'wb').write(zlib.compress(b'%s %d\\0' % (kind, len(data)) + data))
rules = '.guard' + 'kit'
commit = open('../commit').read().strip()
`;

const FORGE_FOLDER = `${FORGE}
forge(name('main:' + rules), b'tree', git('cat-file', 'tree', commit + ':' + rules))
`;

/** The person's commit gets the agent's as its parent. */
const FORGE_PARENT = `${FORGE}
mine = git('commit-tree', '-m', 'x', name(commit + '^{tree}')).strip()
tree, *rest = git('cat-file', 'commit', 'main').split(b'\\n')
rest = [line for line in rest if not line.startswith(b'parent ')]
forge(name('main'), b'commit', b'\\n'.join([tree, b'parent ' + mine, *rest]))
git('update-ref', 'refs/heads/main', mine.decode())
`;

const COMMIT_TWICE = `last=$(git commit-tree -p $(cat ../commit) -m y main^{tree})
git update-ref refs/heads/main $last
`;

const MANY_BRANCHES = `for n in $(seq 10 40); do git tag a$n $(git commit-tree -p main -m $n main^{tree}); done
git branch mine $(cat ../commit)
for n in $(seq 10 40); do git branch b$n $(git commit-tree -p main -m b$n main^{tree}); done
`;

interface Way {
  script: string;
  program?: string;
  /** A person's work afterwards. */
  afterwards?(session: AttackSession): void;
}

function commitsReadme(session: AttackSession): void {
  session.write('README.md', 'Another text\n');
  session.git('commit', '-qam', 'Another text');
}

const WAYS: Record<string, Way> = {
  'replaces the content of a folder in git’s objects': { program: 'python3', script: FORGE_FOLDER },
  'replaces the parents of a commit in git’s objects': { program: 'python3', script: FORGE_PARENT },
  'hides a version behind its last commit, which the person drops': {
    script: COMMIT_TWICE,
    afterwards: (session) => session.git('reset', '-q', '--hard', 'HEAD~1'),
  },
  'hides a version behind its last commit, which the person reverts': {
    script: COMMIT_TWICE,
    afterwards: (session) => session.git('revert', '--no-edit', 'HEAD'),
  },
  'hides a branch among many, which the person merges': {
    script: MANY_BRANCHES,
    afterwards: (session) => session.git('merge', '-q', 'mine'),
  },
};

const { available } = await findSandbox();

describe.each<Tier>(rows(1, available ? ['kernel', 'none'] : ['none']))(
  '[GUARD-8] with the sandbox %s',
  (tier) => {
    it.each(rows(1, Object.entries(WAYS)))(
      'an agent that %s changes no rule in force',
      async (_name, { program = 'bash', script, afterwards }) => {
        const session = new AttackSession({ tier });
        await session.begin();
        const rules = definitionsOf(session);
        await commitAside(session);
        await session.writeTool('tidy.txt', script);
        await session.bash(`${program} tidy.txt && touch ../tidied`);
        await session.waitFor('tidied');
        await session.end();
        const known = rules;
        expect(unreadable(session) || changedState(rules, definitionsOf(session, { known }))).toEqual([]);
        afterwards?.(session);
        session.session = `${session.session}-2`;
        await session.begin();
        expect(unreadable(session) || changedState(rules, definitionsOf(session, { known }))).toEqual([]);
      },
    );
  },
);

/** With a replaced object, nothing is verified and the guards stay the same. */
function unreadable(session: AttackSession): false | [] {
  return definitionsOf(session).has('the definitions') && [];
}

describe.skipIf(!THOROUGH)('a person', () => {
  it('has the rules of the commit that they check out or reset to', async () => {
    const session = new AttackSession();
    const config = session.read('.guardkit/config.yaml');
    const other = config.replace('node --test', 'node --test test');
    session.write('.guardkit/config.yaml', other);
    session.git('commit', '-qam', 'Other tests');
    session.git('tag', '-a', '-m', 'one', 'one');
    session.write('.guardkit/config.yaml', config);
    session.git('commit', '-qam', 'The tests before');
    session.git('commit', '-q', '--allow-empty', '-m', 'Nothing');
    await session.begin();
    session.git('checkout', '-q', 'HEAD~2');
    expect(definitionsOf(session).get('.guardkit/config.yaml')).toBe(other);
    session.git('checkout', '-q', '-b', 'side');
    commitsReadme(session);
    await session.begin();
    expect(definitionsOf(session).get('.guardkit/config.yaml')).toBe(other);
  });
});
