import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { GuardedProject, LIST } from '../guarded-project.ts';

const project = new GuardedProject();
afterAll(() => project.cleanup());
project.write('.claude/progress/deep/x', '');
symlinkSync('.claude/progress/deep', join(project.root, 'deep'));
symlinkSync('.claude', join(project.root, 'c'));

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Refused commands, by the guard of the first finding. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'block-tested-true': [
    `sed -i 's/"tested": false/"tested": true/' ${LIST}`,
    `jq '.features[0].tested = true' ${LIST} > /tmp/x && mv /tmp/x ${LIST}`,
    `jq '.features[0].tested = true' ${LIST} | sponge ${LIST}`,
    `echo '{"features": []}' > ${LIST}`,
    `cat > ${LIST} <<'EOF'\n{"features": []}\nEOF`,
    `tee ${LIST} < /tmp/new.json`,
    `cp /tmp/new.json ${LIST}`,
    `rm ${LIST}`,
    `cd .claude/progress && sed -i s/false/true/ feature-list.json`,
    `f=${LIST}; sed -i s/false/true/ "$f"`,
    `sed -i s/false/true/ .claude/pro''gress/feature-"list".json`,
    `sed -i s/false/true/ .claude/progress/feature-*.json`,
    `sed -i s/false/true/ c/progress/feature-list.json`,
    `sed -i s/false/true/ deep/../feature-list.json`,
    `bash -c "sed -i s/false/true/ ${LIST}"`,
    `echo ${LIST} | xargs sed -i s/false/true/`,
    `find .claude -name feature-list.json -exec sed -i s/false/true/ {} +`,
    `perl -pi -e 's/false/true/' ${LIST}`,
    `dd if=/tmp/x of=${LIST}`,
    `truncate -s 0 ${LIST}`,
    `ln -sf /tmp/other.json ${LIST}`,
    `git checkout HEAD~1 -- ${LIST}`,
    `echo ${base64(`echo x > ${LIST}`)} | base64 -d | sh`,
    `sh -c 'printf x > /proc/self/cwd/${LIST}'`,
    `(sleep 5; sed -i s/false/true/ ${LIST}) &`,
    `if true; then sed -i s/false/true/ ${LIST}; fi`,
    `for f in .claude/progress/*.json; do sed -i s/false/true/ $f; done`,
  ],
  'protected-set': [
    `python3 -c "import json; d=json.load(open('${LIST}')); d['features'][0]['tested']=True; json.dump(d, open('${LIST}','w'))"`,
    `node -e "const fs=require('fs'); fs.writeFileSync('${LIST}', '{}')"`,
    `python3 - <<'EOF'\nimport pathlib\npathlib.Path('${LIST}').write_text('{}')\nEOF`,
    `node scripts/flip.js ${LIST}`,
    `rm -rf .claude`,
    `mv .claude/progress /tmp/x`,
    `rm -rf .guardkit`,
    `mv .guardkit old`,
    `echo 'tests: {command: "true"}' >> .guardkit/config.yaml`,
    `sed -i 's/0.8/0.1/' .guardkit/config/quality-gates.yaml`,
    `echo '{"disableAllHooks": true}' > .claude/settings.local.json`,
    `rm .claude/settings.json`,
    `cp /tmp/evil .git/hooks/pre-commit`,
    `chmod 644 .git/hooks/pre-commit`,
    `find .claude -name '*.json' -delete`,
    `find .claude -delete`,
    `find . -name config.yaml -delete`,
    `find . -name 'settings*.json' -exec sed -i s/a/b/ {} +`,
    `find . -name '*.md' -exec rm {} +`,
    `find . -name .claude -exec rm -rf {} +`,
    `find . -path '*/.claude/*' -delete`,
    `find . -iname 'task-*' | xargs rm`,
    `find . -exec rm -rf {} \\;`,
    `find . -type f | xargs rm -f`,
    `find -mindepth 1 -maxdepth 1 -print0 | xargs -0 rm -rf`,
    `find . -type f | while read -r f; do rm "$f"; done`,
    `for f in $(find . -type f); do rm -f "$f"; done`,
    `for f in *; do rm -rf "$f"; done`,
    `ls -A | xargs rm -rf`,
    `mkdir -p packages/ui/.claude/skills/a && echo x > packages/ui/.claude/skills/a/SKILL.md`,
    `echo '{"disableAllHooks": true}' > a/b/c/.claude/settings.json`,
    `echo '{"disableAllHooks": true}' > .x/.claude/settings.local.json`,
    `cp /tmp/x packages/ui/.claude/agents/x.md`,
    `echo x > .husky/pre-commit`,
    `echo x > .qwen/settings.json`,
    `echo 'evil' >> ~/.bashrc`,
    `tee -a ~/.zshenv < /tmp/x`,
    `echo x > ~/.config/fish/conf.d/x.fish`,
    `echo x > $'.guardkit/guards/\\xff.yaml'`,
    `touch tasks/backlog/TASK-009-new.md`,
    `f=x; cd /tmp && echo y; echo z > "$OLDPWD/.guardkit/config.yaml"`,
    `find .claude ! -name '*.md' -delete`,
    `find . -path ./.claude/settings.json -prune -exec rm {} +`,
    `find . -name '*.md' -o -path ./.claude/settings.json -delete`,
    `echo x >> ~/.gitconfig`,
    `echo '{}' > ~/.claude/settings.json`,
    `sqlite3 ~/.guardkit/ledger.db "delete from entries"`,
    `rm -rf ~/.guardkit`,
    `rm -rf tasks`,
    `sed -i '/AC-002/d' tasks/backlog/TASK-001-login.md`,
    `git rm -r .guardkit`,
    `git checkout -- .guardkit/config.yaml`,
    `cp -r /tmp/x/.claude/. .claude/`,
    `ln -s /tmp/evil .claude/hooks`,
    `eval "$CMD ${LIST}"`,
    `make flip FILE=${LIST}`,
    `chmod 000 .guardkit`,
  ],
  'waiver-forgery': [
    'guardkit guard allow protected-set --for 1h --reason x',
    'guardkit accept .guardkit/config.yaml',
    'env -u CLAUDECODE guardkit accept',
    'npx guardkit feature complete FEAT-A',
    'guardkit evidence F001 --vouch tests --reason x',
    'node /opt/guardkit/bin/guardkit.js task reset TASK-1 --reason x',
    'script -qc "guardkit guard allow secrets --once --reason x" /dev/null',
    'yes | guardkit accept',
  ],
  'destructive-commands': [
    'git push --force origin main',
    'git push -f',
    'git push origin +master',
    'git push origin :main',
    'git push --mirror',
    'git reset --hard HEAD~3',
    'git clean -fdx',
    'git checkout -- .',
    'git checkout .',
    'git checkout -f main',
    'git restore .',
    'git branch -D feature/x',
    'git branch -D guardkit/FEAT-A',
    'git stash drop',
    'git stash clear',
    'git filter-branch --all',
    'git update-ref -d refs/guardkit/FEAT-A/TASK-1/T1',
    'git reflog expire --expire=now --all',
    'git gc --prune=now',
    'git config core.hooksPath /tmp/hooks',
    'git config --global core.fsmonitor /tmp/x',
    `git config alias.st '!sh -c x'`,
    'rm -rf /',
    'rm -rf /*',
    'sudo rm -rf --no-preserve-root /',
    'rm -rf ..',
    'rm -rf /usr/lib/node_modules',
    'rm -rf /srv/photos',
    'find / -delete',
    'find . -type f -delete',
    `find . -not -path './.git/*' -delete`,
    'find / -name x -delete',
    'dd if=/dev/zero of=/dev/sda',
    'mkfs.ext4 /dev/sda1',
    'chmod -R 777 /',
    'echo x > /dev/sda',
    'shutdown -h now',
    'pkill guardkit',
    `find . -exec rm -rf {} \\;`,
    'find . -type f | xargs rm -f',
    'find -mindepth 1 -maxdepth 1 -print0 | xargs -0 rm -rf',
    `find . -name '*' -delete`,
    'find . -type f -mtime +30 -delete',
    `find . -type f | grep -v '\\.git/' | xargs rm`,
    'git ls-files -z | xargs -0 rm -f',
    'fd --type f | xargs rm',
    'rm *',
    'kill -USR1 1234',
    'kill -s SIGUSR1 1234',
    'kill -10 1234',
    'pkill -USR1 node',
    `node -e "process.kill(1234, 'SIGUSR1')"`,
    'ssh localhost ls',
    'ssh me@127.0.0.1 ls',
    'ssh ::1 ls',
    'ssh $(hostname) ls',
    'systemd-run --user touch x',
    'echo ls | at now',
    'crontab /tmp/jobs',
    'tmux -S /tmp/tmux-1000/default send-keys ls Enter',
    'docker run --rm -v /:/host alpine ls',
    `GIT_SEQUENCE_EDITOR="sed -i '1i exec ls'" git rebase -i HEAD~2`,
    'git rebase --edit-todo',
  ],
};

describe.each(Object.entries(REFUSED))('%s refuses', (guard, commands) => {
  it.each(commands)('%s', (command) => {
    const { decision, findings } = project.judge(project.command(command), { canAsk: false });
    expect([decision, findings.map((one) => one.guard)]).toEqual(['deny', expect.arrayContaining([guard])]);
  });
});

it('a refusal has guidance', () => {
  for (const command of Object.values(REFUSED).flat())
    for (const { reason, guidance } of project.judge(project.command(command)).findings) {
      expect(reason).toMatch(/^\S.+\.$/s);
      expect(guidance).toMatch(/^\S.+\.$/s);
    }
});

it('commands that may be intended are asked about if a person can be asked', () => {
  expect(project.judge(project.command('git reset --hard')).decision).toBe('ask');
});
