import { randomBytes } from 'node:crypto';
import { appendFileSync, lstatSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { ignoredByProject } from '../../platform/git/ignored-paths.ts';
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
  /** For `extend`, the added text. */
  text: string;
  /** `keep`: exists and stays unchanged. `refresh`: a file of GuardKit, written again. */
  action: 'create' | 'extend' | 'refresh' | 'keep';
}

export interface ProposedId {
  id: string;
  /** Empty if the id is derived from the repository; otherwise why it is random. */
  madeUp: string;
}

/** The id for a new project: the derived one, or a random one. */
export async function proposeProjectId(folder: GitFolder): Promise<ProposedId> {
  const derived = await deriveProjectId(folder);
  if (derived.known) return { id: derived.id, madeUp: '' };
  const slug = projectSlug(folder.name || basename(folder.root));
  return { id: `${slug}-${randomBytes(2).toString('hex')}`, madeUp: derived.why };
}

const CONFIG_FILE = '.guardkit/config.yaml';

/** Whether a project has a configuration; an existing one stays unchanged. */
export function hasConfig(root: string): boolean {
  return isThere(join(root, CONFIG_FILE));
}

/** The files that `init` would write. Existing files stay unchanged, except for lines added to .gitignore. */
export function planProjectFiles(
  root: string,
  project: string,
  section: VerifySection | undefined,
  more: readonly { path: string; text: string }[] = [],
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
    ...more.map(({ path, text }) => file(path, text)),
  ];
}

/** Writes the planned files and returns what was done: another process may have created a file meanwhile. */
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
  const ignored = new Set(ignoredByProject(root, GITIGNORE_LINES.map(exampleOf)));
  // Some projects check that their file has exactly the lines that it had.
  const missing = GITIGNORE_LINES.filter((line) => !present.has(line) && !ignored.has(exampleOf(line)));
  if (missing.length === 0) return { path, text: '', action: 'keep' };
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  const added = `${gap}${GITIGNORE_HEADING}\n${missing.join('\n')}\n`;
  return { path, text: added, action: exists ? 'extend' : 'create' };
}

function exampleOf(line: string): string {
  return line.endsWith('/') ? `${line}file` : line;
}

/** Appends to the existing file, so that its mode, its bytes and a link are kept. */
function extendGitignore(root: string): PlannedFile {
  const file = gitignore(root);
  if (file.action !== 'keep') appendFileSync(join(root, file.path), file.text);
  return file;
}

/** Includes broken links, which must not be replaced. */
function isThere(path: string): boolean {
  return reaching(path, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

/** Adds the path to file system errors. */
function reaching<Value>(path: string, attempt: () => Value): Value {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new GuardKitError({
      code: 'init.unreachable',
      kind: 'outside',
      message: `${path} cannot be read or written (${error.code}).`,
      hint: 'Make the path writable, then run `guardkit init` again; it continues where it stopped.',
      cause: error,
    });
  }
}
