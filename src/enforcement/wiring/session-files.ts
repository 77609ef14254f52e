import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { packageFolder } from './own-package.ts';
import type { WiringStep } from './wire-claude.ts';

/** The folders of the plugin that an agent's settings know as well. */
const FOLDERS = ['agents', 'commands', 'skills'] as const;

export interface SessionFile {
  /** Relative to the project. */
  path: string;
  text: string;
}

/** The agents, skills and commands of a session: those of the plugin, which are written down once. */
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

/** Adds what is not there. What a person has of the same name is theirs, and stays. */
export function planSessionFiles(root: string): WiringStep[] {
  return sessionFiles().map(({ path, text }) => {
    const target = join(root, path);
    const there = lstatSync(target, { throwIfNoEntry: false }) !== undefined;
    return {
      path,
      target,
      action: there ? 'keep' : 'create',
      perform: () => {
        if (!there) writeFileAtomic(target, text);
      },
    };
  });
}

/** Removes those that are still as GuardKit wrote them, and folders that were for nothing else. */
export function planSessionRemoval(root: string): WiringStep[] {
  return sessionFiles()
    .map(({ path, text }) => ({ path, text, target: join(root, path) }))
    .filter(({ target }) => existsSync(target))
    .map(({ path, text, target }) => {
      const same = lstatSync(target).isFile() && readFileSync(target, 'utf8') === text;
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
