import { lstatSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { type ClaudeSettings, readClaudeSettings } from './claude-settings.ts';
import { editMember } from './edit-json.ts';

/** A change to one file; `keep` if it is up to date. */
export interface WiringStep {
  /** As shown to people. */
  path: string;
  /** Absolute; the target of a link. */
  target: string;
  action: 'create' | 'change' | 'remove' | 'keep';
  perform(): void;
}

export const LOCAL_SETTINGS = '.claude/settings.local.json';
export const SHARED_SETTINGS = '.claude/settings.json';

/** Far more than real settings have. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface SettingsFile {
  path: string;
  /** Real path, if `path` is a link. */
  real: string;
  /** Undefined if there is no file. */
  text: string | undefined;
  settings: ClaudeSettings;
}

export type SettingsFileReading = { ok: true; file: SettingsFile } | { ok: false; why: string };

/** Reads a settings file of Claude Code, following links. */
export function readSettingsFile(path: string): SettingsFileReading {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false }))
      return { ok: true, file: { path, real: path, text: undefined, settings: {} } };
    const stat = statSync(path);
    if (!stat.isFile()) return { ok: false, why: 'it is not a file' };
    if (stat.size > MAX_BYTES) return { ok: false, why: 'it is larger than 4 MB' };
    const text = readFileSync(path, 'utf8');
    const reading = readClaudeSettings(text);
    if (!reading.ok) return reading;
    return { ok: true, file: { path, real: realpathSync(path), text, settings: reading.settings } };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return { ok: false, why: `it cannot be read (${error.code})` };
  }
}

/** For a caller that will change it: an unreadable file is never overwritten. */
export function requireSettingsFile(root: string, name: string): SettingsFile {
  const path = join(root, name);
  const reading = readSettingsFile(path);
  if (reading.ok) return reading.file;
  throw unusable(path, reading.why);
}

/** The members of a settings file that GuardKit writes. */
export type OwnMembers = Pick<ClaudeSettings, 'env' | 'disableAllHooks' | 'hooks'>;

const OWN_MEMBERS = ['env', 'disableAllHooks', 'hooks'] as const;

/** The text with new values of these members, and every other byte unchanged. */
export function withMembersIn({ path, text, settings }: SettingsFile, members: OwnMembers): string {
  let edited = text === undefined || text.trim() === '' ? '{}\n' : text;
  for (const name of OWN_MEMBERS) {
    if (JSON.stringify(members[name]) === JSON.stringify(settings[name])) continue;
    const after = editMember(edited, name, members[name]);
    if (after === undefined) throw unusable(path, `it has "${name}" twice`);
    edited = after;
  }
  return edited;
}

export function hasSameMembers(one: OwnMembers, other: OwnMembers): boolean {
  return OWN_MEMBERS.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

/** The text with new hooks, and every other byte unchanged. */
export function withHooksIn(file: SettingsFile, hooks: ClaudeSettings['hooks']): string {
  return withMembersIn(file, { ...file.settings, hooks });
}

/** Writes the file, or removes it if it has become empty. */
export function writeSettingsFile({ real, text: before }: SettingsFile, text: string): void {
  if (isEmpty(text)) {
    if (before !== undefined) rmSync(real, { force: true });
    return;
  }
  const mode = statSync(real, { throwIfNoEntry: false })?.mode;
  writeFileAtomic(real, text, mode === undefined ? 0o644 : mode & 0o777);
}

export function isEmpty(text: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(text);
}

function unusable(path: string, why: string): GuardKitError {
  return new GuardKitError({
    code: 'wiring.settings-unreadable',
    kind: 'input',
    message: `Cannot add GuardKit’s hooks to ${path}: ${why}.`,
    hint: 'Fix the file (JSON without comments) or move it elsewhere, then run the command again. Nothing was written.',
  });
}
