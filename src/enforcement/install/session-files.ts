import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { packageFolder } from './own-package.ts';
import type { WiringStep } from './settings-file.ts';

/** Plugin folders that also exist in `.claude/`. */
const FOLDERS = ['agents', 'commands', 'skills'] as const;

export interface SessionFile {
  /** Relative to the project. */
  path: string;
  text: string;
}

/** The agents, skills and commands for sessions, taken from the plugin. */
export function sessionFiles(plugin = join(packageFolder(), 'plugin')): SessionFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(plugin, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => ({
        path: `.claude/${folder}/${name.replaceAll('\\', '/')}`,
        text: readFileSync(join(plugin, folder, name), 'utf8'),
      })),
  );
}

/** Adds missing files and updates those of earlier GuardKit versions. A person's file of the same name stays. */
export function planSessionFiles(root: string): WiringStep[] {
  return sessionFiles().map(({ path, text }) => {
    const target = join(root, path);
    const action = actionFor(target, text);
    return {
      path,
      target,
      action,
      perform: () => {
        if (action !== 'keep') writeFileAtomic(target, marked(text));
      },
    };
  });
}

/** Only updates of existing files from an earlier GuardKit. */
export function planSessionRenewal(root: string): WiringStep[] {
  return planSessionFiles(root).filter(({ action }) => action === 'change');
}

function actionFor(target: string, text: string): 'create' | 'change' | 'keep' {
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (!found) return 'create';
  if (!found.isFile()) return 'keep';
  const own = readFileSync(target, 'utf8');
  return own !== marked(text) && own !== text && isAsWritten(own) ? 'change' : 'keep';
}

const MARK_CHARACTERS = 16;
const MARK = /<!-- as guardkit wrote it: ([0-9a-f]{16}) -->\n$/;

/** Ends with a hash of its own content, by which later GuardKit versions recognize an unedited file. */
function marked(text: string): string {
  return `${text}<!-- as guardkit wrote it: ${markOf(text)} -->\n`;
}

function isAsWritten(text: string): boolean {
  const mark = MARK.exec(text);
  return mark !== null && mark[1] === markOf(text.slice(0, mark.index));
}

function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, MARK_CHARACTERS);
}

/** Removes unedited files, and folders that become empty. */
export function planSessionRemoval(root: string): WiringStep[] {
  return sessionFiles()
    .map(({ path, text }) => ({ path, text, target: join(root, path) }))
    .filter(({ target }) => existsSync(target))
    .map(({ path, text, target }) => {
      const own = lstatSync(target).isFile() ? readFileSync(target, 'utf8') : undefined;
      const same = own !== undefined && (own === text || isAsWritten(own));
      return {
        path,
        target,
        action: same ? 'remove' : 'keep',
        perform: () => {
          if (!same) return;
          rmSync(target);
          removeEmpty(dirname(target), join(root, '.claude'));
        },
      };
    });
}

function removeEmpty(folder: string, end: string): void {
  if (folder === end || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmpty(dirname(folder), end);
}
