import { hash } from 'node:crypto';
import { relative, sep } from 'node:path';
import type { Feature } from '../domain/entities/feature.ts';
import type { JsonValue } from '../domain/json/json.ts';
import { scrubSecrets } from '../domain/secrets/scrub-secrets.ts';
import type { KeptBody, KeptEdit, KeptPath } from '../store/ledger/tables/kept-actions.ts';
import type { Action, FileEffect } from './action.ts';
import { actionSignature } from './action-signature.ts';
import { changedFeatures } from './changed-features.ts';
import type { Verdict } from './guard.ts';
import type { RealPath } from './real-path.ts';

const MAX_PATHS = 50;
const MAX_PATH = 500;
const MAX_COMMAND = 8000;
const MAX_INPUT = 2000;
const MAX_LIST = 8000;

/** Context of an action. */
export interface RecordingFacts {
  /** Root of the checkout. */
  root: string;
  driven: boolean;
  canAsk: boolean;
  work: { feature: string | null; task: string | null; turn: number | null };
  /** The features before the action; loaded only if the list was edited. */
  features(): readonly Feature[];
}

/** The kept form of an action, for testing guards later: no file contents, no secrets, nothing long. */
export function toRecordedAction(action: Action, verdict: Verdict, facts: RecordingFacts): KeptBody {
  const { actor, tool } = action;
  const command = action.kind === 'command' ? keptCommand(action.command) : undefined;
  return {
    agent: actor.agent,
    type: actor.type,
    actor: actor.id,
    tool,
    summary:
      command !== undefined && commandSummary(tool, command) === action.summary ? undefined : action.summary,
    attempted: actionSignature(action),
    driven: facts.driven || undefined,
    asks: facts.canAsk || undefined,
    feature: facts.work.feature ?? undefined,
    task: facts.work.task ?? undefined,
    turn: facts.work.turn ?? undefined,
    findings:
      verdict.findings.length === 0
        ? undefined
        : verdict.findings.map(({ guard, decision, silent }) => ({
            guard,
            decision,
            silent: silent ?? null,
          })),
    ...what(action, command, facts),
  };
}

/** The summary of a command, derived as in `toAction` so that it need not be stored. */
export function commandSummary(tool: string, command: string): string {
  return `${tool} ${command.replace(/\s+/g, ' ').trim()}`.trim().slice(0, 300);
}

function keptCommand(command: string): string {
  return scrubSecrets(command.slice(0, MAX_COMMAND).toWellFormed());
}

function what(action: Action, command: string | undefined, facts: RecordingFacts): Partial<KeptBody> {
  const { root } = facts;
  switch (action.kind) {
    case 'read':
      return { files: paths(action.files), whole: action.whole || undefined };
    case 'edit':
      return { edits: action.files.slice(0, MAX_PATHS).map((effect) => keptEdit(effect, facts)) };
    case 'command':
      return {
        command,
        cwd: placeIn(root, action.cwd),
        reaches: action.reaches.slice(0, MAX_PATHS).map(({ file, mode, by, glob }) => ({
          file: keptPath(file),
          mode,
          by: by.slice(0, MAX_PATH),
          glob: glob || undefined,
        })),
        background: action.background || undefined,
      };
    case 'spawn':
      return { spawned: action.type };
    case 'tool':
      return { name: action.name, input: shortInput(action.input), mentions: paths(action.mentions) };
    case 'stop':
      return {
        of: action.of,
        again: action.again || undefined,
        changed: action.changed?.slice(0, MAX_PATHS).map((path) => path.slice(0, MAX_PATH)),
      };
    case 'settings':
      return { files: action.file ? paths([action.file]) : undefined };
  }
}

function paths(files: readonly RealPath[]): KeptPath[] | undefined {
  return files.length === 0 ? undefined : files.slice(0, MAX_PATHS).map(keptPath);
}

function keptPath({ real, inProject, protectedAs, protectedBelow }: RealPath): KeptPath {
  const path = (inProject === '' ? '.' : (inProject ?? real)).slice(0, MAX_PATH);
  return protectedAs === undefined && protectedBelow === undefined
    ? path
    : [path, protectedAs ?? null, protectedBelow ?? null];
}

function placeIn(root: string, folder: string): string {
  const path = relative(root, folder);
  return path === '..' || path.startsWith(`..${sep}`) ? folder : path || '.';
}

function keptEdit(effect: FileEffect, { features }: RecordingFacts): KeptEdit {
  const { file, before, after } = effect;
  return {
    file: keptPath(file),
    gone: effect.effect === 'delete' || undefined,
    list:
      file.protectedAs === 'feature-list' && after !== undefined ? changedList(after, features()) : undefined,
    was: before === undefined ? undefined : contentDigest(before),
    is: after === undefined ? undefined : contentDigest(after),
  };
}

/** Short: it only distinguishes versions of one file and proves nothing. */
export function contentDigest(content: string | Buffer): string {
  return hash('sha256', content).slice(0, 16);
}

/** A feature list with only the changed fields. */
function changedList(after: string, features: readonly Feature[]): string | undefined {
  const changed = changedFeatures(after, features);
  if (!changed) return undefined;
  const text = JSON.stringify({ features: scrubSecrets(changed) });
  return text.length <= MAX_LIST ? text : undefined;
}

function shortInput(input: unknown): string | undefined {
  let text: string | undefined;
  try {
    text = JSON.stringify(input);
  } catch {
    // Safe: input without a JSON form is not kept, like input that is too long.
    return undefined;
  }
  if (text === undefined || text.length > MAX_INPUT) return undefined;
  return JSON.stringify(scrubSecrets(JSON.parse(text) as JsonValue));
}
