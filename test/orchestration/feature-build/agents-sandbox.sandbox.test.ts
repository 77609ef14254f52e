import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { agentSandboxFor, protectedIn } from '../../../src/orchestration/feature-build/ask-agent.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { bubblewrap, runSandboxed } from '../../support/bubblewrap.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A folder that the sandbox shows: other temporary folders are empty in it. */
const DATA = 'project/.git/data';
const PROTECTED = [
  'project/.git/config',
  'project/README.md',
  'tree/.git',
  'tree/.guardkit/config.yaml',
  'tree/tasks/TASK-1.md',
  'tree/.claude/settings.json',
  'tree/.mcp.json',
  `${DATA}/ledger.db`,
];
const NEW = ['tree/.claude/hooks/x', 'tree/.claude/agents/x.md', 'tree/.codex/x', `${DATA}/x`];

it('[GUARD-3] an agent that GuardKit starts can write its worktree, but not its rules, and cannot see GuardKit’s data', async (context) => {
  const root = temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: join(root, 'project'),
    });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('project/README.md', 'person\n');
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'begin');
  git('worktree', 'add', '-q', '../tree');
  for (const path of PROTECTED.slice(3)) write(path, '{}');
  const before = PROTECTED.map((path) => readFileSync(join(root, path), 'utf8'));

  const [folder, home] = [join(root, 'tree'), join(root, DATA)];
  const repository = await Repository.open(folder);
  const place = { sandbox: await bubblewrap(context), home, repository };
  const tries = [...PROTECTED, ...NEW].map((path) => `echo x > '${join(root, path)}'`);
  const script = ['echo work > work.txt', ...tries, `ls '${home}' > seen.txt`, 'git status > git.txt'].join(
    '\n',
  );
  const policy = agentSandboxFor(place, [folder], protectedIn(folder))?.policy;
  await runSandboxed(context, script, { cwd: folder }, policy);

  expect(PROTECTED.map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(before);
  for (const path of NEW) expect(() => readFileSync(join(root, path))).toThrow();
  expect(readFileSync(join(folder, 'work.txt'), 'utf8')).toBe('work\n');
  expect(readFileSync(join(folder, 'seen.txt'), 'utf8')).toBe('');
  expect(readFileSync(join(folder, 'git.txt'), 'utf8')).toContain('work.txt');
});
