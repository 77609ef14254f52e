import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import type { SessionForm } from './session-forms.ts';
import type { WiringStep } from './settings-file.ts';

/** Adds missing files and updates those of earlier GuardKit versions. A person's file of the same name stays. */
export function planSessionFiles(root: string, form: SessionForm): WiringStep[] {
  return form.files().map(({ path, text }) => {
    const target = join(root, path);
    const action = actionFor(target, path, text);
    return {
      path,
      target,
      action,
      perform: () => {
        if (action !== 'keep') writeFileAtomic(target, marked(path, text));
      },
    };
  });
}

/** Only updates of existing files from an earlier GuardKit. */
export function planSessionRenewal(root: string, form: SessionForm): WiringStep[] {
  return planSessionFiles(root, form).filter(({ action }) => action === 'change');
}

function actionFor(target: string, path: string, text: string): 'create' | 'change' | 'keep' {
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (!found) return 'create';
  if (!found.isFile()) return 'keep';
  const own = readFileSync(target, 'utf8');
  return own !== marked(path, text) && own !== text && isAsWritten(own) ? 'change' : 'keep';
}

const MARK_CHARACTERS = 16;
const MARK = /(?:<!--|#) as guardkit wrote it: ([0-9a-f]{16})(?: -->)?\n$/;

/** Ends with a hash of its own content, by which later GuardKit versions recognize an unedited file. */
function marked(path: string, text: string): string {
  const mark = `as guardkit wrote it: ${markOf(text)}`;
  return `${text}${path.endsWith('.toml') ? `# ${mark}` : `<!-- ${mark} -->`}\n`;
}

function isAsWritten(text: string): boolean {
  const mark = MARK.exec(text);
  return mark !== null && mark[1] === markOf(text.slice(0, mark.index));
}

function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, MARK_CHARACTERS);
}

/** Removes unedited files, and folders that become empty. */
export function planSessionRemoval(root: string, form: SessionForm): WiringStep[] {
  return form
    .files()
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
          removeEmpty(dirname(target), join(root, form.folder));
        },
      };
    });
}

function removeEmpty(folder: string, end: string): void {
  if (folder === end || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmpty(dirname(folder), end);
}
