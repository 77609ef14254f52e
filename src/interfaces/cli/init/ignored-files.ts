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
