import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeFileAtomic } from '../platform/atomic-file.ts';
import type { GitFolder } from '../platform/git-folder.ts';
import {
  configTemplate,
  ENTITY_OVERRIDES_TEMPLATE,
  GITIGNORE_LINES,
  QUALITY_GATES_TEMPLATE,
} from './config-templates.ts';
import { jsonSchemas } from './json-schemas.ts';
import { deriveProjectId, projectSlug } from './project-id.ts';
import { entityOverridesPath, qualityGatesPath } from './rule-files.ts';
import type { VerifyConfig } from './verify-config.ts';

export interface PlannedFile {
  /** Relative to the project. */
  path: string;
  text: string;
  /** `keep`: it is there already and stays as it is. `refresh`: GuardKit's own, made anew. */
  action: 'create' | 'extend' | 'refresh' | 'keep';
}

/** The id a project gets: the one it would be known by without being told, or a new one. */
export async function proposeProjectId(folder: GitFolder): Promise<string> {
  const derived = await deriveProjectId(folder);
  return derived.known
    ? derived.id
    : `${projectSlug(folder.name || basename(folder.root))}-${randomBytes(2).toString('hex')}`;
}

/** What `init` would write. Files of people are never changed, but for lines added to .gitignore. */
export function planProjectFiles(
  root: string,
  project: string,
  verify: VerifyConfig | undefined,
): PlannedFile[] {
  const relative = (path: string) => path.slice(root.length + 1);
  const file = (path: string, text: string): PlannedFile => ({
    path,
    text,
    action: existsSync(join(root, path)) ? 'keep' : 'create',
  });
  return [
    file('.guardkit/config.yaml', configTemplate(project, verify)),
    file(relative(qualityGatesPath(root)), QUALITY_GATES_TEMPLATE),
    file(relative(entityOverridesPath(root)), ENTITY_OVERRIDES_TEMPLATE),
    ...jsonSchemas().map(({ name, text }) => schemaFile(root, `.guardkit/schemas/${name}`, text)),
    gitignore(root),
  ];
}

export function writeProjectFiles(root: string, files: readonly PlannedFile[]): void {
  for (const { path, text, action } of files) {
    if (action !== 'keep') writeFileAtomic(join(root, path), text);
  }
}

function schemaFile(root: string, path: string, text: string): PlannedFile {
  const target = join(root, path);
  if (!existsSync(target)) return { path, text, action: 'create' };
  return { path, text, action: readFileSync(target, 'utf8') === text ? 'keep' : 'refresh' };
}

function gitignore(root: string): PlannedFile {
  const path = '.gitignore';
  const target = join(root, path);
  const text = existsSync(target) ? readFileSync(target, 'utf8') : '';
  const present = new Set(text.split('\n').map((line) => line.trim()));
  const missing = GITIGNORE_LINES.filter((line) => !present.has(line));
  if (missing.length === 0) return { path, text, action: 'keep' };
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  const added = `${gap}# GuardKit: made anew on every machine\n${missing.join('\n')}\n`;
  return { path, text: text + added, action: text === '' ? 'create' : 'extend' };
}
