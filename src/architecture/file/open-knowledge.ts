import type { ProjectConfig } from '../../config/project/project-config.ts';
import { readProjectConfig } from '../../config/project/project-config.ts';
import { requireValid } from '../../config/yaml/yaml-file.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { findGitFolder } from '../../platform/git/git-folder.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import type { ArchitectureGraph } from '../graph/architecture-graph.ts';
import { readGraph } from '../graph/read-graph.ts';
import { extendSchema, type KnowledgeSchema } from '../schema/knowledge-schema.ts';
import { GRAPH_PATH } from './graph-file.ts';
import { LocalGraphFile } from './local-graph-file.ts';

export interface OpenedKnowledge {
  root: string;
  file: LocalGraphFile;
  schema: KnowledgeSchema;
  /** Folder of the builds' worktrees, if the project configures one. */
  worktrees: string | undefined;
}

/** Where to look for the graph. */
export interface KnowledgeContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** Opens the graph file of this project, with its schema. */
export async function openKnowledge({ cwd, env }: KnowledgeContext): Promise<OpenedKnowledge> {
  const root = findGitFolder(cwd)?.root;
  if (root === undefined) {
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: 'This folder is not in a git repository.',
      hint: 'Run the command in the project, or run `git init`.',
    });
  }
  const file = new LocalGraphFile(root, { home: guardkitHome(env) });
  const config = await readConfig(root);
  return { root, file, schema: extendSchema(config.architecture), worktrees: config.worktrees?.root };
}

async function readConfig(root: string): Promise<ProjectConfig> {
  return requireValid(await readProjectConfig(root));
}

/** The current graph; throws if it does not exist or cannot be read. */
export async function requireGraph({ file }: Pick<OpenedKnowledge, 'file'>): Promise<ArchitectureGraph> {
  const current = await file.read();
  if (!current) {
    throw new GuardKitError({
      code: 'graph.absent',
      kind: 'input',
      message: `This project has no architecture graph (${GRAPH_PATH}).`,
      hint: 'Create it by adding a node: `guardkit knowledge update add_node --name api-server --type component …`.',
    });
  }
  return requireReadable(GRAPH_PATH, current.text);
}

export function requireReadable(name: string, text: string): ArchitectureGraph {
  const read = readGraph(text);
  if (read.ok) return read.graph;
  const { code, line, column, message } = read.fault;
  throw new GuardKitError({
    code,
    kind: 'refused',
    message: `${name}:${line}:${column}: ${message}.`,
    hint: 'Fix that line, then run `guardkit knowledge validate`.',
  });
}
