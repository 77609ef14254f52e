import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { applyChunks, type PatchedFile } from '../../domain/patches/read-patch.ts';
import { scrubSecrets } from '../../domain/secrets/scrub-secrets.ts';
import type { Action, Actor, FileEffect } from '../../guards/action.ts';
import { commandReaches } from '../../guards/affected-paths.ts';
import { analyseCommand } from '../../guards/command/analyse-command.ts';
import type { PathContext } from '../../guards/path-context.ts';
import { realPath } from '../../guards/real-path.ts';
import type { HookSource, TextReplacement, ToolRequest } from './hook-event.ts';

/** A file larger than this is judged by its path alone. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Total characters searched for replacements; beyond it a file is judged by its path alone. */
const MAX_SEARCHED = 64 * 1024 * 1024;
const MAX_SUMMARY = 300;
const MAX_MENTIONS = 2000;

/** A tool call as guards judge it: with real paths, resulting file contents, and parsed commands. */
export function toAction(
  tool: string,
  request: ToolRequest,
  source: HookSource,
  context: PathContext,
): Action {
  const common = { actor: actorOf(source), tool, summary: summarise(tool, request) };
  switch (request.kind) {
    case 'read':
      return {
        ...common,
        kind: 'read',
        files: request.paths.map((path) => realPath(path, context)),
        whole: request.whole,
      };
    case 'write':
      return { ...common, kind: 'edit', files: [fileEffect(request.path, context, () => request.content)] };
    case 'replace': {
      const { path, replacements, searches } = request;
      const effect = fileEffect(path, context, (before) => replaceAll(before, replacements));
      return {
        ...common,
        kind: 'edit',
        files: [effect],
        ...(searches && mayBeElsewhere(path, effect, replacements)
          ? { unseen: 'There is no such file, and the tool would edit another one with this name.' }
          : {}),
      };
    }
    case 'change':
      return {
        ...common,
        kind: 'edit',
        files: request.paths.map((path) => fileEffect(path, context, () => undefined)),
      };
    case 'patch':
      return {
        ...common,
        kind: 'edit',
        files: patchEffects(request.files, context),
        ...(request.unread === undefined ? {} : { unseen: `The patch cannot be read: ${request.unread}.` }),
      };
    case 'command': {
      const { cwd, home, root, dataFolder } = context;
      // In an agent's shell these variables lead to protected files.
      const env = { GUARDKIT_HOME: dataFolder, CLAUDE_PROJECT_DIR: root };
      const analysis = analyseCommand(request.command, { cwd, home, env });
      return {
        ...common,
        kind: 'command',
        command: request.command,
        cwd: context.cwd,
        analysis,
        reaches: commandReaches(analysis, context),
        background: request.background || analysis.background,
        ...(request.typable && analysis.typed.length > 0
          ? { unseen: `${analysis.typed[0]} runs what is typed into it, which GuardKit cannot see here.` }
          : {}),
      };
    }
    case 'spawn':
      return { ...common, kind: 'spawn', type: request.type };
    case 'tool': {
      const { name, input, talks, unread } = request;
      const { paths, complete } = talks ? NO_PATHS : pathsIn(input);
      return {
        ...common,
        kind: 'tool',
        name,
        input,
        mentions: paths.map((path) => realPath(path, context)),
        ...(unread === undefined && complete
          ? {}
          : {
              unseen: `The input of ${name.slice(0, 100)} cannot be read: ${unread ?? 'it has too many parts'}.`,
            }),
      };
    }
  }
}

/** A file that is created is where its path says. */
function mayBeElsewhere(
  path: string,
  { file }: FileEffect,
  replacements: readonly TextReplacement[],
): boolean {
  return !path.startsWith('/') && file.exists === false && replacements.some(({ old }) => old !== '');
}

export function actorOf({ agent, session, actorType, actorId }: HookSource): Actor {
  return { agent, session, type: actorType, id: actorId };
}

function fileEffect(
  path: string,
  context: PathContext,
  outcome: (before: string | undefined) => string | undefined,
): FileEffect {
  const file = realPath(path, context);
  const before = readText(file.real);
  return { file, effect: 'write', before, after: outcome(before) };
}

function patchEffects(files: readonly PatchedFile[], context: PathContext): FileEffect[] {
  const effects = files.flatMap((file) => effectsOf(file, context));
  // The result of a file that occurs twice depends on the order.
  const paths = effects.map(({ file }) => file.real);
  return effects.map((effect) =>
    paths.filter((path) => path === effect.file.real).length > 1 ? { ...effect, after: undefined } : effect,
  );
}

function effectsOf(file: PatchedFile, context: PathContext): FileEffect[] {
  switch (file.type) {
    case 'add':
      return [fileEffect(file.path, context, () => file.content)];
    case 'delete':
      return [deletion(file.path, context)];
    case 'update': {
      const changed = fileEffect(file.path, context, (before) => patched(before, file.chunks));
      if (file.movedTo === undefined) return [changed];
      return [deletion(file.path, context), fileEffect(file.movedTo, context, () => changed.after)];
    }
  }
}

function deletion(path: string, context: PathContext): FileEffect {
  return { ...fileEffect(path, context, () => undefined), effect: 'delete' };
}

function patched(before: string | undefined, chunks: Parameters<typeof applyChunks>[1]): string | undefined {
  return before === undefined ? undefined : applyChunks(before, chunks);
}

/** Undefined if a text to replace is not found literally: the tool may still match it. */
function replaceAll(
  before: string | undefined,
  replacements: readonly TextReplacement[],
): string | undefined {
  let text = before ?? '';
  let left = MAX_SEARCHED;
  for (const { old, new: next, all } of replacements) {
    left -= text.length;
    if (left < 0 || text.length > 2 * MAX_FILE_BYTES) return undefined;
    if (old === '') {
      if (text !== '') return undefined;
      text = next;
      continue;
    }
    if (!text.includes(old)) return undefined;
    // A function, since `$&` in a replacement string has a meaning.
    text = all ? text.split(old).join(next) : text.replace(old, () => next);
  }
  return text;
}

/** Undefined if the file is missing, too large or not a regular file. */
function readText(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // Safe: without content, guards judge by the path alone, strictly.
    return undefined;
  }
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size <= MAX_FILE_BYTES ? readFileSync(descriptor, 'utf8') : undefined;
  } finally {
    closeSync(descriptor);
  }
}

interface NamedPaths {
  paths: string[];
  /** Whether all of the input was searched. */
  complete: boolean;
}

const NO_PATHS: NamedPaths = { paths: [], complete: true };
const MAX_VALUES = 10_000;
/** Longer texts are not paths, and not JSON with a path. */
const MAX_TEXT = 65_536;

/** Every text in a tool's input that looks like a path, also in JSON in a text. */
function pathsIn(input: unknown): NamedPaths {
  const found = new Set<string>();
  const waiting: unknown[] = [input];
  for (let seen = 0; waiting.length > 0; seen += 1) {
    if (seen >= MAX_VALUES || found.size > MAX_MENTIONS) return { paths: [...found], complete: false };
    const value = waiting.pop();
    if (typeof value === 'string') {
      if (isPathLike(value)) found.add(value);
      const nested = nestedJson(value);
      if (nested !== undefined) waiting.push(nested);
    } else if (value !== null && typeof value === 'object') {
      for (const part of Object.values(value)) waiting.push(part);
    }
  }
  return { paths: [...found], complete: true };
}

/** A name without a folder too. A text of several lines is a path only to a program that removes `..` from it. */
function isPathLike(text: string): boolean {
  if (text.length > MAX_TEXT) return false;
  if (text.includes('\n')) return text.includes('/../');
  return text.includes('/') || (text.includes('.') && !/\s/.test(text));
}

/** The object or list that a text contains as JSON. */
function nestedJson(text: string): unknown {
  if (text.length > MAX_TEXT || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Safe: the text is not JSON.
    return undefined;
  }
}

function summarise(tool: string, request: ToolRequest): string {
  const text = scrubSecrets(about(request)).replace(/\s+/g, ' ').trim();
  return `${tool} ${text}`.trim().slice(0, MAX_SUMMARY);
}

function about(request: ToolRequest): string {
  switch (request.kind) {
    case 'read':
    case 'change':
      return request.paths.join(' ');
    case 'write':
    case 'replace':
      return request.path;
    case 'patch':
      return request.files
        .map((file) =>
          file.type === 'update' && file.movedTo !== undefined ? `${file.path} → ${file.movedTo}` : file.path,
        )
        .join(' ');
    case 'command':
      // Scrubbing more than this would be wasted.
      return request.command.slice(0, 4 * MAX_SUMMARY);
    case 'spawn':
      return request.type;
    case 'tool':
      return '';
  }
}
