import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_TESTS } from '../../support/verified-project.ts';
import { CheatBase, config, HONEST, QUICK_PROJECT } from '../cheats/cheat-project.ts';
import { printedInRuns } from '../cheats/planted-environment.ts';

/** Installs packages, fills caches, and creates a lock file and the version of an editable Python package. */
const INSTALL = `set -e
echo "SET-UP RUNS"
test ! -e "$HOME/.planted" && test ! -e "$HOME/.npm/_cacache/planted" && test ! -e "$HOME/.cache/planted"
mkdir -p node_modules/dep .venv/bin dist "$HOME/.cache/tool" "$HOME/.npm/_cacache"
echo 'module.exports = 1;' > node_modules/dep/index.js
echo original > .venv/bin/tool
echo original > "$HOME/.cache/tool/program"
echo download > "$HOME/.npm/_cacache/content"
echo '{}' > package-lock.json
mkdir -p shop.egg-info
echo 'version = 1' > shop/_version.py
touch shop.egg-info/PKG-INFO
`;

/** Checks that everything is as the set-up left it, and changes all of it. */
const CHANGES_EVERYTHING = `set -e
grep -q 1 node_modules/dep/index.js
grep -q original .venv/bin/tool
grep -q original "$HOME/.cache/tool/program"
test ! -e node_modules/planted && test ! -e "$HOME/.planted" && test ! -e "$HOME/.cache/planted"
test ! -e "$HOME/.npm/_cacache/content"
echo 'module.exports = 2;' > node_modules/dep/index.js
echo changed > "$HOME/.cache/tool/program"
rm -r .venv/bin
mkdir -p node_modules/planted node_modules/.cache "$HOME/.npm/_cacache/planted" "$HOME/.cache/planted"
echo x > node_modules/.cache/x
touch "$HOME/.planted" "$HOME/.npmrc"
mv node_modules/dep node_modules/moved 2>/dev/null || cp -r node_modules/dep node_modules/moved
grep -q 2 node_modules/moved/index.js
`;

const FILES = {
  ...QUICK_PROJECT,
  'install.sh': INSTALL,
  'shop/__init__.py': '# A package in Python.\n',
  'changes.sh': CHANGES_EVERYTHING,
  '.gitignore': 'node_modules\n.venv\nlcov.info\n',
  '.guardkit/config.yaml': config(
    `setup: sh install.sh\ntests:\n  command: sh changes.sh && ${RUN_TESTS}\nchecks:\n  - { name: again, command: sh changes.sh }\n`,
  ),
};

const setUps = (text: string) => text.split('SET-UP RUNS').length - 1;

describe('writes of a run into dependencies, caches and its home', () => {
  const base = new CheatBase(FILES);
  afterAll(() => base.cleanup());

  it('work, and are gone before the next command, without another set-up', async () => {
    const project = base.project().write(HONEST);
    const answer = await project.verify();
    expect(answer.stderr).not.toContain('cannot');
    expect(answer.outcome).toBe('pass');
    // The base, the base with the new tests and the candidate need the same dependencies.
    expect(setUps(printedInRuns(base.sandbox))).toBe(1);
  });

  it('reach no later verification, and no other set-up', async () => {
    const project = base.project().write(HONEST);
    const before = setUps(printedInRuns(base.sandbox));
    expect((await project.verify()).outcome).toBe('pass');
    project.write({ 'requirements.txt': 'dep\n' });
    expect((await project.verify()).outcome).toBe('pass');
    const after = setUps(printedInRuns(base.sandbox));
    // Another clone has its own workspace; the changed requirements need a second set-up, only once.
    expect(after - before).toBe(2);
    project.write({ 'requirements.txt': null });
    expect((await project.verify()).outcome).toBe('pass');
    expect(setUps(printedInRuns(base.sandbox))).toBe(after);
  });

  it('leave nothing in the person’s home', () => {
    for (const name of ['.planted', '.npmrc', '.cache', '.npm'])
      expect(existsSync(base.sandbox.path('home', name)), name).toBe(false);
  });
});

describe('a set-up', () => {
  const FAKE_TOKEN = 'token-for-set-up-alone';
  const base = new CheatBase({
    ...QUICK_PROJECT,
    'install.sh': `set -e\ngrep -c ${FAKE_TOKEN} "$HOME/.npmrc"\n! grep -q node-options "$HOME/.npmrc"\ngrep -q index-url "$HOME/.config/pip/pip.conf"\ntest "$HTTPS_PROXY" = http://proxy.invalid\nrm -rf node_modules && mkdir -p node_modules "$HOME/.npm/_cacache"\nif test -f evil; then touch "$HOME/.npm/_cacache/evil"; rm -r "$HOME/.config"; ln -s "$(cat evil)" "$HOME/.config"; fi\n`,
    'sees.sh': `set -e\ntest ! -e "$HOME/.npmrc"\ntest ! -e "$HOME/.config/pip/pip.conf" || test -L "$HOME/.config"\ntest -z "$HTTPS_PROXY"\ntest -z "$SECRET_TOKEN"\ntest "$GREETING" = hello\ntest "$NAMED" = handed-on\n`,
    '.gitignore': 'node_modules\nlcov.info\n',
    '.guardkit/config.yaml': config(
      `setup: sh install.sh\nenv: { GREETING: hello }\npass_env: [NAMED]\ntests:\n  command: sh sees.sh && ${RUN_TESTS}\n`,
    ),
  });
  const { sandbox } = base;
  const env = {
    HTTPS_PROXY: 'http://proxy.invalid',
    NAMED: 'handed-on',
    SECRET_TOKEN: 'x',
    PRIVATE: FAKE_TOKEN,
  };
  mkdirSync(sandbox.path('home/.config/pip'), { recursive: true });
  sandbox.write('home/.npmrc', '//registry.invalid/:_authToken=${PRIVATE}\nnode-options=--require /x\n');
  sandbox.write('home/.config/pip/pip.conf', '[global]\nindex-url = https://index.invalid/simple\n');
  afterAll(() => base.cleanup());

  it('is alone in getting the person’s registries and tokens; commands get the named variables', async () => {
    const answer = await base.project().write(HONEST).verify({ env });
    expect(answer.outcome, answer.stdout).toBe('pass');
  });

  it('of a candidate leaves nothing for other set-ups, and its links lead nowhere', async () => {
    const evil = { evil: sandbox.path('home/.config'), 'requirements.txt': 'dep\n' };
    await base
      .project()
      .write({ ...HONEST, ...evil })
      .verify({ env });
    const pip = readFileSync(sandbox.path('home/.config/pip/pip.conf'), 'utf8');
    expect(pip).toContain('index-url');
    expect(existsSync(join(sandbox.home, 'caches/cheats/.npm/_cacache/evil'))).toBe(false);
  });
});
