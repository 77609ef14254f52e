import { afterAll, describe, expect, it } from 'vitest';
import { GuardedProject, LIST } from '../guarded-project.ts';

const project = new GuardedProject();
afterAll(() => project.cleanup());
project.write('.claude/skills/pdf/run.sh', 'true\n');
project.write('../.claude/skills/x/scripts/y.mjs', '');
project.write('../.bashrc', '');

/** Commands that were once refused without good reason, or are similar to those. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'running and reading protected files': [
    'node ~/.claude/skills/x/scripts/y.mjs',
    'node ~/.claude/skills/x/scripts/y.mjs --out /tmp/x.json',
    'bash .claude/skills/pdf/run.sh',
    'cd ~/.claude/skills/x && npm install && node scripts/y.mjs',
    'python3 .claude/skills/pdf/scripts/check.py src',
    '.git/hooks/pre-commit',
    'bash .git/hooks/pre-commit',
    'sh .husky/pre-commit',
    'source ~/.bashrc && nvm use 20',
    'source .claude/hooks/env.sh',
    'python3 scripts/lint.py .claude/agents/x.md',
    'python3 script.py --config .guardkit/config.yaml',
    'diff <(git show HEAD:.claude/settings.json) .claude/settings.json',
    `python3 -c "import yaml; print(yaml.safe_load(open('.guardkit/config.yaml')))"`,
  ],
  'code that names protected files': [
    `python3 - <<'PY'\nimport yaml\ncfg = yaml.safe_load(open('.guardkit/config.yaml'))\nopen('/tmp/x.txt', 'w').write(str(cfg))\nPY`,
    `python3 - <<'PY'\ns = open('src/index.ts').read()\ns = s.replace("'.claude/settings.json'", "'.claude/x.json'")\nopen('src/index.ts', 'w').write(s)\nPY`,
    `python3 - <<'PY'\ns = open('docs/a.md').read()\nopen('docs/a.md', 'w').write(s + 'See .guardkit/config.yaml and tasks/TASK-001.md')\nPY`,
    `cat > /tmp/x.mjs <<'JS'\nimport { readFileSync, writeFileSync } from 'node:fs';\nwriteFileSync('/tmp/o.txt', readFileSync('.guardkit/config.yaml', 'utf8'));\nJS\nnode /tmp/x.mjs`,
  ],
  'code with unknown pieces': [
    `python3 - <<'PY'\nfor f in names:\n    open(f'{f}', 'w').write('x')\n    open(f'{d}/{f}.json', 'w').write('x')\n    os.remove(f'{f}')\nPY`,
    `python3 - <<'PY'\nprint(f'{x:*>10}')\nopen(f'{x}*', 'w')\nshutil.rmtree(f'{out}/')\nPY`,
    "node - <<'JS'\nfs.writeFileSync(`${f}`, 'x');\nfs.rmSync(`${dir}/${f}`, { recursive: true });\nJS",
  ],
  'variables and folders': [
    'rmdir "$(dirname $x)"',
    'rm -fR "${TMP}/"',
    'rm -rf "$OUT"/*',
    'rm -rf "./$name"',
    'TMP=/tmp/y && rm -rf "$TMP" && mkdir "$TMP"\nrm -rf "$TMP"/*',
    'mkdir -p out && D=out\nrm -rf $D/*',
    'T=$(mktemp -d); cd $T; git init -q; mkdir .guardkit; echo x > .guardkit/config.yaml; cd -; rm -rf $T',
    'BASE=/tmp/gk && rm -rf $BASE && mkdir -p $BASE/p && cd $BASE/p && mkdir .claude && echo {} > .claude/settings.json\nrm -rf $BASE/p',
    'WORK=/tmp/work.$$ && mkdir -p $WORK && cp -R . $WORK/copy && cd $WORK/copy && rm -rf .git .claude',
    'git clone -q /x /tmp/y && cd /tmp/y && rm -rf .git',
    'mv foo/* .',
    'cp -r templates/* .',
    `for f in *; do mv "$f" "\${f// /_}"; done`,
  ],
  'searches that remove few files': [
    'find . -empty -delete',
    'find . -type d -empty -delete',
    'find . -type d -exec rmdir {} + 2>/dev/null',
    'find . -inum 12345 -delete',
    String.raw`find . -inum 12345 -exec rm -i {} \;`,
    'find . -size 0 -delete',
    'find . -type l -delete',
    `find . -name '[a-z]*' -type f -name '*.bak' -delete`,
    `find . -name 't[0-9]*s' -delete`,
    `find . -name '[0-9]*.log' -delete`,
    `find . -name '*.[ch]' | xargs rm`,
    `find . -name '*.pyc' -print0 | xargs -0 rm -f`,
    String.raw`find . -name node_modules -prune -exec rm -rf {} \;`,
    'find . -type f | head -5 | xargs rm',
    String.raw`find . -type f | grep '\.bak$' | xargs rm`,
    'find dist -type f | xargs rm -f',
    `find . -name '*.md' -not -path './tasks/*' -not -path './.claude/*' -delete`,
    'find . -type f -exec grep -l foo {} +',
    String.raw`find . -type f -exec chmod 644 {} \;`,
    String.raw`find . -name '*.sh' -exec chmod +x {} \;`,
    `find . -type f -not -path './.git/*' -exec touch {} +`,
    'grep -rl foo . | xargs sed -i s/foo/bar/',
    'bzip2 *',
    'gzip -9 *',
    'ls *.log | xargs rm',
    'rm -rf ~/.cache/pip',
  ],
  'work outside the sandbox': [
    'docker compose up -d',
    'docker run --rm -v "$PWD":/app -w /app node:20 npm test',
    `tmux new-session -d -s dev 'npm run dev'`,
    'tmux send-keys -t dev q',
    'crontab -l',
    'kill -USR2 1234',
    'npm run dev & kill -USR1 $!',
    'ssh me@example.com ls',
    `git rebase -x 'npm test' main`,
    `GIT_SEQUENCE_EDITOR="sed -i '2s/pick/squash/'" git rebase -i HEAD~2`,
    'pip install --user requests',
    'npm config set registry https://registry.npmjs.org',
  ],
};

describe.each(Object.entries(ALLOWED))('allowed with and without the wrapper: %s', (_what, commands) => {
  it.each(commands)('%s', (command) => {
    const action = project.command(command);
    for (const wrapped of [true, false])
      expect(project.judge(action, { canAsk: false, wrapped }).findings).toEqual([]);
  });
});

describe('in the shell wrapper', () => {
  it.each([
    `node scripts/flip.js ${LIST}`,
    'make flip FILE=.guardkit/config.yaml',
    'eval "$CMD .guardkit/config.yaml"',
    'echo x > "$DIR/.guardkit/config.yaml"',
    'cd "$SOMEWHERE"; rm -rf .claude/hooks',
    'cd packages/ui; rm -rf .git',
    `python3 -c "p = '.guardkit/config.yaml'; open(p, 'w')"`,
  ])('an effect that cannot be followed is allowed: %s', (command) => {
    const action = project.command(command);
    expect(project.judge(action, { wrapped: true, canAsk: false }).findings).toEqual([]);
    expect(project.judge(action, { wrapped: false, canAsk: false }).decision).toBe('deny');
  });

  it.each([
    'echo x > .guardkit/config.yaml',
    'rm -rf .claude',
    `sed -i s/false/true/ ${LIST}`,
    'D=.guardkit; rm -rf "$D"',
    'find .claude -delete',
    'find . -type f | xargs rm',
  ])('a visible write is refused: %s', (command) => {
    expect(project.judge(project.command(command), { wrapped: true, canAsk: false }).decision).toBe('deny');
  });
});

describe('tests that a command removes', () => {
  it.each([
    'rm test/index.test.ts',
    'git rm -q test/index.test.ts',
    'unlink test/index.test.ts',
    'rm -rf test',
    'rm test/*.test.ts',
    'mv test/index.test.ts /tmp/',
    'mv test/index.test.ts test/index.test.ts.bak',
    ': > test/index.test.ts',
    '> test/index.test.ts',
    'truncate -s 0 test/index.test.ts',
    'cp /dev/null test/index.test.ts',
  ])('give the warning about skipped tests: %s', (command) => {
    const { decision, findings } = project.judge(project.command(command), { canAsk: false });
    expect([decision, ...findings.map(({ guard }) => guard)]).toEqual(['warn', 'thresholds']);
  });

  it.each([
    'git mv test/index.test.ts test/other.test.ts',
    'mv test/index.test.ts test/sub.test.ts',
    'rm test/missing.test.ts',
    'echo "it(1)" > test/index.test.ts',
    'rm -rf coverage test-results',
    'git rm --cached test/index.test.ts',
  ])('are unaffected by %s', (command) => {
    expect(project.judge(project.command(command), { canAsk: false }).findings).toEqual([]);
  });
});
