import type { PathMode } from '../command-analysis.ts';
import type { Frame } from '../shell/scope.ts';
import type { Shell, UseDetails } from '../shell/shell.ts';
import type { Field } from '../words/field.ts';
import { isKnown } from '../words/field.ts';

/** One invocation, as a program's description sees it. */
export interface Call {
  /** Base name. */
  readonly name: string;
  /** The words after it. */
  readonly args: readonly Field[];
  readonly frame: Frame;
  readonly shell: Shell;
}

/** Records what a program does with its words; gives what it prints, HOLE for what is not known. */
export type Program = (call: Call) => string;

export type Programs = Readonly<Record<string, Program>>;

export function use(call: Call, mode: PathMode, ...fields: readonly (Field | undefined)[]): void {
  for (const field of fields) if (field !== undefined) call.shell.usePath(mode, field, call.name, call.frame);
}

/** The same, with what else is known of it. */
export function useAs(call: Call, mode: PathMode, more: UseDetails, ...fields: readonly Field[]): void {
  for (const field of fields) call.shell.usePath(mode, field, call.name, call.frame, more);
}

export function unclear(call: Call, why: string): void {
  call.shell.findings.unclear(why);
}

/** Says that what a program runs is not known, and keeps every name around it. */
export function loseTrack(call: Call, why: string): void {
  call.shell.loseTrack(why, call.frame);
}

/** Runs a text as a shell that this program starts would. */
export function runShellText(call: Call, text: string, change: Partial<Frame> = {}): string {
  const frame = { ...call.frame, ...change };
  if (!isKnown(text)) {
    loseTrack(call, `${call.name} runs text that is not all known: ${text.slice(0, 60)}`);
    call.shell.findings.literal(text);
  }
  return call.shell.runText(text.replaceAll('\0', '__unknown__'), {
    ...frame,
    scope: change.scope ?? frame.scope.fork(),
    stdin: change.stdin,
    wrappers: [],
    environment: {},
  });
}

const MAX_WRAPPERS = 8;

/** Runs the command that this program starts with its remaining words. */
export function runWrapped(call: Call, fields: readonly Field[], change: Partial<Frame> = {}): string {
  if (fields.length === 0) return '';
  if (call.frame.wrappers.length > MAX_WRAPPERS) {
    loseTrack(call, `more than ${MAX_WRAPPERS} programs start each other`);
    return '\0';
  }
  const frame = { ...call.frame, ...change };
  return call.shell.runFields(fields, {
    ...frame,
    depth: frame.depth + 1,
    wrappers: [...frame.wrappers, call.name],
  });
}
