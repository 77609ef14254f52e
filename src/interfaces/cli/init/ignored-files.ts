import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ignoreRules } from '../../../platform/git/ignored-paths.ts';

/** Written by people and committed: GuardKit reads them from commits. */
const COMMITTED = ['.guardkit/config.yaml', 'tasks/TASK-001.md'];

/** A notice for each committed file of GuardKit that the project's .gitignore leaves out of commits. */
export function describeIgnored(root: string): string[] {
  return ignoreRules(root, COMMITTED).map(({ path, shown }) => {
    const folder = path.slice(0, path.indexOf('/'));
    const lines = folder === '.guardkit' ? [`!/${folder}/**`, `/${folder}/logs/`] : [`!/${folder}/**`];
    const also = lines.map((one) => `, then \`${one}\``).join('');
    return `git ignores ${folder}/ (${shown}), but GuardKit reads it from commits. Commit it with \`git add -f ${folder}\`, or add \`!/${folder}/\`${also} to .gitignore.`;
  });
}

const PRETTIER_CONFIG = /^(?:\.prettierrc(?:\..+)?|prettier\.config\.[cm]?[jt]s)$/;
const BIOME_CONFIG = /^\.?biome\.jsonc?$/;

/** A notice for each formatter of the project whose check of all files would refuse GuardKit's. */
export function describeFormatter(root: string): string[] {
  const names = readdirSync(root);
  const text = (name: string) =>
    statSync(join(root, name), { throwIfNoEntry: false })?.isFile()
      ? readFileSync(join(root, name), 'utf8')
      : '';
  const usesPrettier =
    names.some((name) => PRETTIER_CONFIG.test(name)) || /"prettier"\s*:/.test(text('package.json'));
  const biome = names.find((name) => BIOME_CONFIG.test(name));
  return [
    ...(usesPrettier && !/^\/?\.guardkit\b/m.test(text('.prettierignore'))
      ? ['Prettier would check GuardKit’s files. Add `.guardkit/` and `tasks/TASK-*` to .prettierignore.']
      : []),
    ...(biome !== undefined && checksHidden(text(biome))
      ? [`Biome would check GuardKit’s files. Add "!**/.guardkit" to \`files.includes\` in ${biome}.`]
      : []),
  ];
}

/** Whether Biome, which includes all files by default, would look into `.guardkit/`. */
function checksHidden(config: string): boolean {
  const [, included = '"**"'] = /"files"\s*:\s*\{[^{}]*?"includes?"\s*:\s*\[([^\]]*)\]/.exec(config) ?? [];
  const excludes = /"!?(?:\*\*\/)?\.(?:guardkit\b|\*)/.test(config);
  return /"(?:\.\/)?(?:\*\*?|\.)["/]/.test(included) && !excludes;
}
