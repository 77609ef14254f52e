import { lstatSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { contentDigest } from '../../guards/to-recorded-action.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { type KeptAction, type KeptPath, keptActions } from '../../store/ledger/tables/kept-actions.ts';
import { lastTranscriptLines } from '../../store/ledger/tables/transcript.ts';
import type { PromptBefore } from './read-cues.ts';

export interface PromptContext {
  ledger: Ledger;
  project: string;
  /** Real path of the checkout. */
  checkout: string;
  session: string;
  /** The interrupted action in one line, if any. */
  interrupted: string | undefined;
}

const MAX_LINES = 40;
const MAX_ACTIONS = 300;
const MAX_FILES = 50;
const MAX_BYTES = 8 * 1024 * 1024;
/** File timestamps may lag behind the clock by this much. */
const COARSE_MS = 100;

/** The context of the newest prompt in a session; undefined if the agent had done nothing yet. */
export function promptBefore({
  ledger,
  project,
  checkout,
  session,
  interrupted,
}: PromptContext): PromptBefore | undefined {
  const [, ...lines] = lastTranscriptLines(ledger, project, session, MAX_LINES);
  const prompts = lines.filter(({ who }) => who === 'person');
  const since = prompts[0]?.at ?? 0;
  const words = lines.find(({ who, at }) => who === 'agent' && at >= since);
  const actions = [...keptActions(ledger, project, { session, last: MAX_ACTIONS })].filter(
    ({ at, decision, kind }) => at >= since && decision !== 'deny' && kind !== 'stop',
  );
  if (!words && actions.length === 0) return undefined;
  const cut = interrupted ?? lines.find(({ who, at }) => who === 'interruption' && at >= since)?.text;
  const edits = editsOf(actions);
  const stoppedAt = words?.at ?? actions.at(-1)?.at ?? since;
  return {
    message: words?.text ?? '',
    tools: actions.slice(-20).map(({ body }) => ({ tool: body.tool, target: targetOf(body.attempted) })),
    edited: [...edits.keys()],
    ...(cut === undefined ? {} : { interrupted: { tool: 'action', target: cut } }),
    reverted: [...edits]
      .filter(([path, edit]) => isRestored(checkout, path, edit, stoppedAt))
      .map(([path]) => path),
    earlierPrompts: prompts.map(({ text }) => text).reverse(),
  };
}

interface FileEdit {
  /** Digests before the first edit and after the last; undefined if unknown or without a file. */
  was: string | undefined;
  is: string | undefined;
}

function editsOf(actions: readonly KeptAction[]): Map<string, FileEdit> {
  const edits = new Map<string, FileEdit>();
  for (const { body } of actions) {
    for (const { file, was, is } of body.edits ?? []) {
      const path = inProject(file);
      if (path === undefined) continue;
      const known = edits.get(path);
      if (!known && edits.size >= MAX_FILES) continue;
      edits.set(path, { was: known ? known.was : was, is });
    }
  }
  return edits;
}

function inProject(file: KeptPath): string | undefined {
  const path = typeof file === 'string' ? file : file[0];
  return path.startsWith(sep) || path.startsWith('..') ? undefined : path;
}

/** Whether the file is as before the agent's edits, and was changed back after the agent stopped. */
function isRestored(checkout: string, path: string, { was, is }: FileEdit, stoppedAt: number): boolean {
  if (is === undefined || was === is) return false;
  const absolute = join(checkout, path);
  const file = lstatSync(absolute, { throwIfNoEntry: false });
  if (!file) return was === undefined;
  if (was === undefined || !file.isFile() || file.size > MAX_BYTES || file.mtimeMs < stoppedAt - COARSE_MS)
    return false;
  try {
    return contentDigest(readFileSync(absolute, 'utf8')) === was;
  } catch {
    // Safe: an unreadable file is not a sign of anything.
    return false;
  }
}

function targetOf(attempted: string): string {
  return attempted.slice(attempted.indexOf(' ') + 1);
}
