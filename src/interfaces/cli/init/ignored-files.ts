import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../../platform/git/git.ts';

/** Written by people and committed: GuardKit reads them from commits. */
const COMMITTED = ['.guardkit/config.yaml', 'tasks/TASK-001.md'];

/** A notice for each committed file of GuardKit that the project's .gitignore leaves out of commits. */
export async function describeIgnored(root: string): Promise<string[]> {
  const { stdout } = await git(root, ['check-ignore', '-v', '--no-index', '--', ...COMMITTED]);
  return stdout.split('\n').flatMap((line) => {
    const [, rule = '', path = ''] = /^(.*:\d+:[^!].*)\t(.*)$/.exec(line) ?? [];
    if (rule === '') return [];
    const folder = path.slice(0, path.indexOf('/'));
    return `git ignores ${folder}/ (${rule}), but GuardKit reads it from commits. Add \`!/${folder}/\` and \`!/${folder}/**\` to .gitignore, or commit it with \`git add -f ${folder}\`.`;
  });
}

const PRETTIER_CONFIG = /^(?:\.prettierrc(?:\..+)?|prettier\.config\.[cm]?[jt]s)$/;

/** A notice if the project uses Prettier, whose `--check .` would refuse GuardKit's files. */
export function describeFormatter(root: string): string[] {
  const text = (name: string) =>
    statSync(join(root, name), { throwIfNoEntry: false })?.isFile()
      ? readFileSync(join(root, name), 'utf8')
      : '';
  const isUsed =
    readdirSync(root).some((name) => PRETTIER_CONFIG.test(name)) ||
    /"prettier"\s*:/.test(text('package.json'));
  if (!isUsed || /^\/?\.guardkit\b/m.test(text('.prettierignore'))) return [];
  return [
    'Prettier would check the files of GuardKit. Add `.guardkit/` and `tasks/TASK-*` to .prettierignore.',
  ];
}
