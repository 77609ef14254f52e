import { describe, expect, it, onTestFinished } from 'vitest';
import type { Action } from '../../../src/guards/action.ts';
import { analyseCommand } from '../../../src/guards/command/analyse-command.ts';
import { common, GuardedProject } from '../guarded-project.ts';

const typed = (command: string) => analyseCommand(command, { cwd: '/p', home: '/home/ada' }).typed;

describe('programs that run what is typed into them', () => {
  it.each([
    'bash',
    'bash --norc',
    'sh -s',
    'exec zsh',
    'env -i bash',
    'sudo bash',
    'python3',
    'python3 -i x.py',
    'node',
    'perl',
    'vim x.txt',
    'less x.txt',
    'cd sub && sh',
    'cat | sh',
    'eval "$(cat)"',
    'read -r line; eval "$line"',
    'bash /dev/stdin',
    'python3 < /dev/tty',
    'xargs -I{} sh -c {}',
    'psql',
    'ssh example.org',
    'script /tmp/log',
    '(bash)',
    'bash -c bash',
  ])('%s is one', (command) => {
    expect(typed(command)).not.toEqual([]);
  });

  it.each([
    'bash -c "echo x"',
    'bash run.sh',
    'bash <<EOF\necho x\nEOF',
    'echo "print(1)" | python3',
    'python3 - <<EOF\nprint(1)\nEOF',
    'python3 -m pytest',
    'node --test',
    'node script.js',
    'bash < /dev/null',
    'python3 --version',
    'cat x.txt | grep y',
    'curl -s https://example.org/install.sh | sh',
    'npm test',
    'sqlite3 x.db "select 1"',
    'git log -3',
    'ls | head',
    'grep -r x . | xargs sed -i s/a/b/',
  ])('%s is not one', (command) => {
    expect(typed(command)).toEqual([]);
  });
});

it('a tool whose input cannot be read is refused', () => {
  const project = new GuardedProject();
  onTestFinished(() => project.cleanup());
  const tool: Action = { ...common('x'), kind: 'tool', name: 'x', input: {}, mentions: [] };
  expect(project.judge(tool).findings).toEqual([]);
  expect(project.judge({ ...tool, unseen: 'It has too many parts.' })).toMatchObject({
    decision: 'deny',
    findings: [{ guard: 'unseen-effects', reason: 'It has too many parts.' }],
  });
});
