import { describe, expect, it } from 'vitest';
import { analyseCommand } from '../../../src/guards/command/analyse-command.ts';

const OPTIONS = { cwd: '/p', home: '/home/u', root: '/p' };

function uses(command: string): string[] {
  return analyseCommand(command, OPTIONS).uses.map(({ mode, path }) => `${mode} ${path}`);
}

/** The commands are only analysed, never run. */
describe('a command changes a file', () => {
  it.each([
    ['by a redirection', 'echo x > .claude/x', 'write /p/.claude/x'],
    ['by appending', 'echo x >> .claude/x', 'write /p/.claude/x'],
    ['by a redirection past noclobber', 'echo x >| .claude/x', 'write /p/.claude/x'],
    ['by redirecting both outputs', 'ls &> .claude/x', 'write /p/.claude/x'],
    ['by a descriptor in a variable', '{fd}> .claude/x ls', 'write /p/.claude/x'],
    ['by opening it for both', 'cat <> .claude/x', 'write /p/.claude/x'],
    ['by emptying it', ': > .claude/x', 'write /p/.claude/x'],
    ['through a variable', 'f=.claude/x; sed -i s/a/b/ $f', 'write /p/.claude/x'],
    ['through two variables', 'c=.cla; d=ude; rm "$c$d/x"', 'delete /p/.claude/x'],
    ['through an indirect variable', 'x=.claude/x; y=x; rm ${!y}', 'delete /p/.claude/x'],
    ['through an array', 'xs=(.claude/a .claude/b); rm "${xs[@]}"', 'delete /p/.claude/b'],
    ['through a positional parameter', 'set -- .claude/y; rm "$1"', 'delete /p/.claude/y'],
    ['with quotes inside its name', "rm .cla''ude/x", 'delete /p/.claude/x'],
    ['with escapes inside its name', 'rm .cl\\aude/x', 'delete /p/.claude/x'],
    ['with hexadecimal quotes', "rm $'\\x2eclaude/x'", 'delete /p/.claude/x'],
    ['by braces', 'rm .claude/{a,b{c,d}}', 'delete /p/.claude/bd'],
    ['without a space', 'rm${IFS}.claude/x', 'delete /p/.claude/x'],
    ['in the home folder', 'rm ~/x', 'delete /home/u/x'],
    ['through /proc', 'rm /proc/self/cwd/.claude/x', 'delete /p/.claude/x'],
    ['by a path with detours', 'rm ../p/./.claude//x', 'delete /p/.claude/x'],
    ['in a new shell', "bash -lc 'rm .claude/x'", 'delete /p/.claude/x'],
    ['in an eval', 'eval "rm .claude/x"', 'delete /p/.claude/x'],
    ['in an eval of a substitution', `eval "$(printf 'rm %s' .claude/x)"`, 'delete /p/.claude/x'],
    ['in a function', 'f() { rm "$1"; }; f .claude/x', 'delete /p/.claude/x'],
    ['in an alias', "alias ll='rm -rf'; ll .claude", 'delete /p/.claude'],
    ['in a trap', "trap 'rm .claude/x' EXIT", 'delete /p/.claude/x'],
    ['in a loop', 'for f in x y; do rm .claude/$f; done', 'delete /p/.claude/y'],
    [
      'in a loop over lines',
      "printf '%s\\n' .claude/x | while read -r f; do rm $f; done",
      'delete /p/.claude/x',
    ],
    ['in one of two branches', 'if a; then f=x; else f=y; fi; rm .claude/$f', 'delete /p/.claude/y'],
    ['in a case', 'case $1 in a) rm .claude/x;; esac', 'delete /p/.claude/x'],
    ['in a process substitution', 'diff <(rm .claude/x) y', 'delete /p/.claude/x'],
    ['behind wrappers', 'sudo -u me env A=1 timeout 5 nice -n 3 rm .claude/x', 'delete /p/.claude/x'],
    ['behind env -S', "env -S 'A=1 rm .claude/x'", 'delete /p/.claude/x'],
    ['behind su', "su - me -c 'rm .claude/x'", 'delete /p/.claude/x'],
    ['behind xargs', 'echo .claude/x | xargs rm', 'delete /p/.claude/x'],
    ['behind xargs with a placeholder', 'echo x | xargs -I{} cp {} .claude/', 'write /p/.claude/x'],
    ['behind parallel', "parallel 'rm {}' ::: .claude/x", 'delete /p/.claude/x'],
    ['behind find', 'find . -name x.json -exec sed -i s/a/b/ {} \\;', 'write /p/x.json'],
    ['from base64', 'echo cm0gLmNsYXVkZS94 | base64 -d | sh', 'delete /p/.claude/x'],
    ['from hexadecimal digits', 'xxd -r -p <<< 726d202e636c617564652f78 | sh', 'delete /p/.claude/x'],
    ['from octal escapes', "printf '\\162m .claude/x' | bash", 'delete /p/.claude/x'],
    ['from a script that it wrote', "echo 'rm .claude/x' > s.sh; bash s.sh", 'delete /p/.claude/x'],
    ['from a here-document', 'bash <<E\nrm .claude/x\nE', 'delete /p/.claude/x'],
    ['through a link that it created', 'ln -s /p/.claude/x /l; echo a > /l', 'write /p/.claude/x'],
    ['by copying into its folder', 'cp /s/x .claude/', 'write /p/.claude/x'],
    ['by copying with -t', 'cp -t .claude /s/x', 'write /p/.claude/x'],
    ['by moving it away', 'mv .claude/x y', 'delete /p/.claude/x'],
    ['by tee', 'echo a | tee -a .claude/x', 'write /p/.claude/x'],
    ['by dd', 'dd if=a of=.claude/x', 'write /p/.claude/x'],
    ['by sponge', 'jq . a | sponge .claude/x', 'write /p/.claude/x'],
    ['by perl', "perl -pi -e 's/a/b/' .claude/x", 'write /p/.claude/x'],
    ["by sed's w", "sed -n 'w .claude/x' in", 'write /p/.claude/x'],
    ["by sed's e", "sed '1e rm .claude/x' in", 'delete /p/.claude/x'],
    ['by awk', 'awk \'{print > ".claude/x"}\' in', 'write /p/.claude/x'],
    ["by awk's system", 'awk \'BEGIN{system("rm .claude/x")}\'', 'delete /p/.claude/x'],
    ['by awk in place', "gawk -i inplace '1' .claude/x", 'write /p/.claude/x'],
    ['by vim', "vim -es -c ':wq' .claude/x", 'write /p/.claude/x'],
    ["by git's checkout", 'git checkout HEAD~1 -- .claude/x', 'write /p/.claude/x'],
    ['by git in another folder', 'git -C .claude rm x', 'delete /p/.claude/x'],
    ['by a git alias', "git -c alias.z='!rm .claude/x' z", 'delete /p/.claude/x'],
    ['by a patch', 'git apply <<E\n--- a/.claude/x\n+++ b/.claude/x\nE', 'write /p/.claude/x'],
    ['by unpacking', 'tar -xf a.tar -C .claude', 'write /p/.claude'],
    ['by downloading', 'curl -o .claude/x http://h/', 'write /p/.claude/x'],
    ['by git’s editor', "EDITOR='rm .claude/x' git commit --amend", 'delete /p/.claude/x'],
    [
      'by python that starts a program',
      `python3 -c "import os; os.system('rm .claude/x')"`,
      'delete /p/.claude/x',
    ],
    [
      'by node that starts a program',
      `node -e "require('child_process').execSync('rm .claude/x')"`,
      'delete /p/.claude/x',
    ],
    ['in another folder', 'cd .claude && rm x', 'delete /p/.claude/x'],
    [
      'at the top of the repository',
      'cd "$(git rev-parse --show-toplevel)" && rm .claude/x',
      'delete /p/.claude/x',
    ],
  ])('%s', (_, command, expected) => {
    expect(uses(command)).toContain(expected);
  });
});

describe('code names a path', () => {
  it.each([
    ['in pieces', `python3 -c "open('.claude/'+'x.json','w')"`, '/p/.claude/x.json'],
    ['by joining', `node -e "fs.rmSync(path.join('.claude','x.json'))"`, '/p/.claude/x.json'],
    ['by os.path.join', `python3 -c "open(os.path.join('.claude','x.json'),'w')"`, '/p/.claude/x.json'],
    ['by a variable', `ruby -e 'p=".claude/"; File.write(p+"x.json", "")'`, '/p/.claude/x.json'],
    ['in a here-document', "python3 - <<'E'\nopen('.claude/x.json','w')\nE", '/p/.claude/x.json'],
  ])('%s', (_, command, path) => {
    expect(analyseCommand(command, OPTIONS).uses.map((use) => use.path)).toContain(path);
  });

  it('that it only reads', () => {
    const command = `python3 -c "import json; print(json.load(open('.claude/x.json')))"`;
    expect(uses(command)).toEqual(['read /p/.claude/x.json']);
    expect(analyseCommand(command, OPTIONS).unclear).toEqual([]);
  });
});
