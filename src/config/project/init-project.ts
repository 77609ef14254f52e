import { randomBytes } from 'node:crypto';
import { appendFileSync, lstatSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { entityOverridesPath, qualityGatesPath } from '../rule-files/rule-files.ts';
import { createFile } from '../work/create-work-file.ts';
import {
  configTemplate,
  ENTITY_OVERRIDES_TEMPLATE,
  GITIGNORE_HEADING,
  GITIGNORE_LINES,
  qualityGatesTemplate,
  type VerifySection,
} from './config-templates.ts';
import { jsonSchemas } from './json-schemas.ts';
import { deriveProjectId, projectSlug } from './project-id.ts';

export interface PlannedFile {
  /** Relative to the project. */
  path: string;
  /** With `extend`: what is added. */
  text: string;
  /** `keep`: it is there already and stays as it is. `refresh`: GuardKit's own, made anew. */
  action: 'create' | 'extend' | 'refresh' | 'keep';
}

export interface ProposedId {
  id: string;
  /** Empty where the project would be known by it without being told; else why it is a new one each time. */
  madeUp: string;
}

/** The id a project gets: the one it would be known by without being told, or a new one. */
export async function proposeProjectId(folder: GitFolder): Promise<ProposedId> {
  const derived = await deriveProjectId(folder);
  if (derived.known) return { id: derived.id, madeUp: '' };
  const slug = projectSlug(folder.name || basename(folder.root));
  return { id: `${slug}-${randomBytes(2).toString('hex')}`, madeUp: derived.why };
}

const CONFIG_FILE = '.guardkit/config.yaml';

/** Whether a project has a configuration, which then stays as it is. */
export function hasConfig(root: string): boolean {
  return isThere(join(root, CONFIG_FILE));
}

/** What `init` would write. Files of people are never changed, but for lines added to .gitignore. */
export function planProjectFiles(
  root: string,
  project: string,
  section: VerifySection | undefined,
): PlannedFile[] {
  const coverageMeasured = section?.verify === undefined || section.verify.coverage !== undefined;
  const file = (path: string, text: string): PlannedFile => ({
    path,
    text,
    action: isThere(join(root, path)) ? 'keep' : 'create',
  });
  return [
    file(CONFIG_FILE, configTemplate(project, section)),
    file(relative(root, qualityGatesPath(root)), qualityGatesTemplate({ coverageMeasured })),
    file(relative(root, entityOverridesPath(root)), ENTITY_OVERRIDES_TEMPLATE),
    ...jsonSchemas().map(({ name, text }) => schemaFile(root, `.guardkit/schemas/${name}`, text)),
    gitignore(root),
  ];
}

/** Writes what was planned and gives what was really done: another process may have made a file in between. */
export function writeProjectFiles(root: string, files: readonly PlannedFile[]): PlannedFile[] {
  return files.map((file) => {
    const target = join(root, file.path);
    return reaching(target, () => {
      if (file.action === 'create' && !createFile(target, file.text)) return { ...file, action: 'keep' };
      if (file.action === 'refresh') writeFileAtomic(target, file.text);
      if (file.action === 'extend') return extendGitignore(root);
      return file;
    });
  });
}

function schemaFile(root: string, path: string, text: string): PlannedFile {
  const target = join(root, path);
  if (!isThere(target)) return { path, text, action: 'create' };
  const same = reaching(target, () => readFileSync(target, 'utf8') === text);
  return { path, text, action: same ? 'keep' : 'refresh' };
}

function gitignore(root: string): PlannedFile {
  const path = '.gitignore';
  const target = join(root, path);
  const exists = isThere(target);
  const text = exists ? reaching(target, () => readFileSync(target, 'latin1')) : '';
  const present = new Set(text.split('\n').map((line) => line.trim()));
  const missing = GITIGNORE_LINES.filter((line) => !present.has(line));
  if (missing.length === 0) return { path, text: '', action: 'keep' };
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  const added = `${gap}${GITIGNORE_HEADING}\n${missing.join('\n')}\n`;
  return { path, text: added, action: exists ? 'extend' : 'create' };
}

/** What is missing by now, added to the file itself: it keeps its mode, its bytes whatever they are, and stays a link. */
function extendGitignore(root: string): PlannedFile {
  const file = gitignore(root);
  if (file.action !== 'keep') appendFileSync(join(root, file.path), file.text);
  return file;
}

/** Also a link that leads nowhere: it is somebody's, and is not replaced. */
function isThere(path: string): boolean {
  return reaching(path, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

/** Names the file that something outside keeps from being read or written. */
function reaching<Value>(path: string, attempt: () => Value): Value {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new GuardKitError({
      code: 'init.unreachable',
      kind: 'outside',
      message: `${path} cannot be read or written (${error.code}).`,
      hint: 'Make way for it, or give yourself the right to write there, and run `guardkit init` again: it goes on where it stopped.',
      cause: error,
    });
  }
}
