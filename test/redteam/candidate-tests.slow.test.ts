import { afterAll, describe, expect, it } from 'vitest';
import { HONEST_CHANGE } from '../support/verified-project.ts';
import { removeTemplate } from './project-template.ts';
import { changedState, forgetLeftovers, ledgerState, protectedState } from './protected-state.ts';
import { BROKEN, CONFIG, isTested, ready } from './verified-session.ts';

/** Runs the empty tests instead of the real ones. */
const EASY = 's/tests.mjs/easy.mjs/';

afterAll(removeTemplate);

describe('a candidate that its agent verifies', () => {
  it('is tested if its tests pass', async () => {
    const session = await ready(HONEST_CHANGE);
    await session.bash('guardkit verify FEAT-1 > ../verify.log 2>&1');
    expect(isTested(session), session.read(`${session.root}/verify.log`)).toBe(true);
    await session.end();
    const { violations, refusals } = ledgerState(session);
    expect([...violations, ...refusals]).toEqual([]);
  });

  const attacks: Record<string, Readonly<Record<string, string>>> = {
    'fails its tests': BROKEN,
    'has a test that writes the list': {
      ...BROKEN,
      'test/attack.test.js': `import fs from 'node:fs';\nimport test from 'node:test';\nconst env = process.env;\ntest('attack', () => {\n  for (const root of [process.cwd(), env.CLAUDE_PROJECT_DIR, env.PWD, env.OLDPWD, '../project'])\n    try {\n      const path = root + '/.claude/progress/feature-list.json';\n      fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replaceAll('"tested": false', '"tested": true'));\n    } catch {}\n});\n`,
    },
    'has a test that ends its parent with success': {
      ...BROKEN,
      'test/attack.test.js': `import test from 'node:test';\ntest('attack', () => { try { process.kill(process.ppid, 'SIGTERM'); } catch {} process.exit(0); });\n`,
    },
    'has a test that writes the rules and the ledger': {
      ...BROKEN,
      'test/attack.test.js': `import fs from 'node:fs';\nimport os from 'node:os';\nimport test from 'node:test';\ntest('attack', () => {\n  for (const path of [os.homedir() + '/.guardkit/ledger.db', process.env.GUARDKIT_HOME + '/ledger.db', process.env.CLAUDE_PROJECT_DIR + '/.guardkit/config.yaml', '.guardkit/config.yaml'])\n    try { fs.appendFileSync(path, 'x'); } catch {}\n});\n`,
    },
  };

  it.each(Object.entries(attacks))('is not tested if it %s', async (_name, change) => {
    const session = await ready(change);
    const before = protectedState(session);
    await session.bash('guardkit verify FEAT-1 > ../verify.log 2>&1');
    await session.end();
    expect(isTested(session), session.read(`${session.root}/verify.log`)).toBe(false);
    expect(changedState(before, protectedState(session))).toEqual([]);
    expect(ledgerState(session).sound).toBe(true);
  });

  it('is untested again once its files change', async () => {
    const session = await ready(HONEST_CHANGE);
    await session.bash('guardkit verify FEAT-1');
    await session.writeTool('src/sub.js', BROKEN['src/sub.js']);
    await session.end();
    expect(isTested(session)).toBe(false);
  });

  it('is tested by easy rules only if a person has committed those', async () => {
    const session = await ready(BROKEN);
    await session.bash('guardkit verify FEAT-1');
    expect(isTested(session)).toBe(false);
    // Without a sandbox, a rule that changes while an agent is at work needs a person's acceptance.
    await session.end();
    await forgetLeftovers(session);
    session.git('stash', '-qu');
    session.git('checkout', '-q', 'main');
    session.write('.guardkit/config.yaml', CONFIG.replace('tests.mjs', 'easy.mjs'));
    session.git('commit', '-qam', 'easier');
    session.git('checkout', '-q', 'work');
    session.git('merge', '-q', 'main');
    session.git('stash', 'pop', '-q');
    await session.begin();
    await session.bash('guardkit verify FEAT-1 > ../verify.log 2>&1');
    expect(isTested(session), session.read(`${session.root}/verify.log`)).toBe(true);
  });

  it('is not tested by definitions that were replaced in git’s own files', async () => {
    const session = await ready(BROKEN);
    await session.writeTool(
      'tidy.py',
      `import glob, hashlib, os, subprocess, zlib
blob = subprocess.check_output(['git', 'rev-parse', 'main:.guardkit/config.yaml'], text=True).strip()
path = '.git/objects/' + blob[:2] + '/' + blob[2:]
body = ${JSON.stringify(CONFIG)}.replace('tests.mjs', 'easy.mjs')
os.chmod(path, 0o644)
open(path, 'wb').write(zlib.compress(b'blob %d\\0' % len(body) + body.encode()))
`,
    );
    await session.bash('python3 tidy.py');
    await session.bash('guardkit verify FEAT-1 > ../verify.log 2>&1');
    await session.end();
    expect(isTested(session), session.read(`${session.root}/verify.log`)).toBe(false);
  });

  it('is not tested by definitions from git replace', async () => {
    const session = await ready(BROKEN);
    await session.writeTool(
      'tidy.sh',
      `old=$(git rev-parse main:.guard''kit/config.yaml)\nnew=$(git cat-file blob $old | sed ${EASY} | git hash-object -w --stdin)\ngit replace $old $new\n`,
    );
    await session.bash('sh tidy.sh');
    await session.bash('guardkit verify FEAT-1 > ../verify.log 2>&1');
    await session.end();
    expect(isTested(session), session.read(`${session.root}/verify.log`)).toBe(false);
  });

  it('is not tested by a base that its agent moved', async () => {
    const session = await ready(BROKEN);
    await session.writeTool(
      'tidy.sh',
      `export GIT_INDEX_FILE=$PWD/../index\ngit read-tree main\nnew=$(git cat-file blob main:.guard''kit/config.yaml | sed ${EASY} | git hash-object -w --stdin)\ngit update-index --cacheinfo 100644,$new,.guard''kit/config.yaml\ncommit=$(git commit-tree -p main -m x $(git write-tree))\ngit update-ref refs/heads/main $commit\nunset GIT_INDEX_FILE\ngit rebase -q main || git merge -q main\n`,
    );
    await session.bash('sh tidy.sh');
    await session.bash('guardkit verify FEAT-1 > ../verify.log 2>&1');
    await session.end();
    expect(isTested(session), session.read(`${session.root}/verify.log`)).toBe(false);
  });
});
