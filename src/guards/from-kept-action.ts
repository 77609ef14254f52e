import { isAbsolute, join } from 'node:path';
import type { KeptAction, KeptBody, KeptEdit, KeptPath } from '../store/ledger/tables/kept-actions.ts';
import type { Action, FileEffect, PathReach } from './action.ts';
import { analyseCommand } from './command/analyse-command.ts';
import type { CommandAnalysis } from './command/command-analysis.ts';
import type { Protection, RealPath } from './real-path.ts';
import { commandSummary } from './to-recorded-action.ts';

export interface RevivalContext {
  /** The checkout in which the actions are judged. */
  root: string;
  home: string;
}

const MAX_KNOWN = 10_000;

/**
 * Converts kept actions so that guards can judge them. Analyses each command once, and only if a guard needs it. An edit of
 * the feature list contains only the changed fields, so it is judged without known features.
 */
export function actionReviver({ root, home }: RevivalContext): (kept: KeptAction) => Action | undefined {
  const known = new Map<string, CommandAnalysis>();
  const analyse = (command: string, cwd: string): CommandAnalysis => {
    const key = `${cwd}\0${command}`;
    const found = known.get(key);
    if (found) return found;
    const analysis = analyseCommand(command, { cwd, home });
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, analysis);
    return analysis;
  };
  return ({ session, kind, body }) => {
    const summary = body.summary ?? commandSummary(body.tool, body.command ?? '');
    const actor = { agent: body.agent, session, type: body.type, id: body.actor };
    return revive(kind, body, { actor, tool: body.tool, summary }, root, analyse);
  };
}

type Common = Pick<Action, 'actor' | 'tool' | 'summary'>;

function revive(
  kind: string,
  body: KeptBody,
  common: Common,
  root: string,
  analyse: (command: string, cwd: string) => CommandAnalysis,
): Action | undefined {
  const path = (kept: KeptPath) => realPath(kept, root);
  switch (kind) {
    case 'read':
      return { ...common, kind, files: (body.files ?? []).map(path), whole: body.whole ?? false };
    case 'edit':
      return { ...common, kind, files: (body.edits ?? []).map((edit) => fileEffect(edit, root)) };
    case 'command': {
      const { command = '', cwd = '.' } = body;
      const folder = isAbsolute(cwd) ? cwd : join(root, cwd);
      return {
        ...common,
        kind,
        command,
        cwd: folder,
        get analysis() {
          return analyse(command, folder);
        },
        reaches: (body.reaches ?? []).map(({ file, mode, by, glob }) => ({
          file: path(file),
          mode: mode as PathReach['mode'],
          by,
          glob: glob ?? false,
        })),
        background: body.background ?? false,
      };
    }
    case 'spawn':
      return { ...common, kind, type: body.spawned ?? '' };
    case 'tool':
      return {
        ...common,
        kind,
        name: body.name ?? body.tool,
        input: body.input === undefined ? undefined : JSON.parse(body.input),
        mentions: (body.mentions ?? []).map(path),
      };
    case 'stop':
      return { ...common, kind, of: body.of ?? 'session', changed: body.changed, again: body.again ?? false };
    case 'settings':
      return { ...common, kind, file: body.files?.[0] === undefined ? undefined : path(body.files[0]) };
    default:
      return undefined;
  }
}

function fileEffect({ file, gone = false, list }: KeptEdit, root: string): FileEffect {
  return { file: realPath(file, root), effect: gone ? 'delete' : 'write', before: undefined, after: list };
}

/** Safe casts: only GuardKit writes kept actions. */
function realPath(kept: KeptPath, root: string): RealPath {
  const [path, as, below] = typeof kept === 'string' ? [kept, null, null] : kept;
  const outside = isAbsolute(path);
  return {
    given: path,
    real: outside ? path : join(root, path),
    inProject: outside ? undefined : path === '.' ? '' : path,
    protectedAs: (as ?? undefined) as Protection | undefined,
    protectedBelow: (below ?? undefined) as Protection | undefined,
  };
}
