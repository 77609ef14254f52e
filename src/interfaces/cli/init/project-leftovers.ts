import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GITIGNORE_HEADING, GITIGNORE_LINES } from '../../../config/project/config-templates.ts';
import type { WiringStep } from '../../../enforcement/install/settings-file.ts';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import { removeTree } from '../../../platform/files/file-trees.ts';
import { plural } from '../output/printable.ts';

export interface ProjectLeftovers {
  /** Files of `init` that `uninstall` leaves, a line each. */
  left: string[];
  /** The same, to be removed. */
  steps: WiringStep[];
  /** Relative paths of the files that would go. */
  files: string[];
}

/** Everything in a project that stays when only the hooks are taken out. */
export function projectLeftovers(root: string): ProjectLeftovers {
  const folder = join(root, '.guardkit');
  const files = filesIn(folder).map((name) => `.guardkit/${name}`);
  const ignore = join(root, '.gitignore');
  const text = existsSync(ignore) ? readFileSync(ignore, 'latin1') : '';
  const rest = withoutOwnLines(text);
  const left: string[] = [];
  const steps: WiringStep[] = [];
  if (lstatSync(folder, { throwIfNoEntry: false })) {
    left.push(`.guardkit/ (${plural(files.length, 'file')}: configuration, rules, features and logs)`);
    steps.push({ path: '.guardkit/', target: folder, action: 'remove', perform: () => removeTree(folder) });
  }
  if (rest !== text) {
    left.push('GuardKit’s lines in .gitignore');
    steps.push({
      path: '.gitignore',
      target: ignore,
      action: rest === '' ? 'remove' : 'change',
      perform: () =>
        rest === ''
          ? rmSync(ignore, { force: true })
          : writeFileAtomic(ignore, Buffer.from(rest, 'latin1'), lstatSync(ignore).mode & 0o777),
    });
  }
  return { left, steps, files };
}

/** Without the heading that `init` writes and the lines below it; the same lines elsewhere are somebody else's. */
function withoutOwnLines(text: string): string {
  const lines = text.split('\n');
  const own: ReadonlySet<string> = new Set(GITIGNORE_LINES);
  const at = lines.indexOf(GITIGNORE_HEADING);
  if (at < 0) return text;
  let end = at + 1;
  while (own.has(lines[end] ?? '')) end += 1;
  return [...lines.slice(0, at), ...lines.slice(end)].join('\n');
}

function filesIn(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
