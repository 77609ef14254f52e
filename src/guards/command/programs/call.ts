import type { PathMode } from '../command-analysis.ts';
import type { Frame } from '../shell/scope.ts';
import type { Shell, UseDetails } from '../shell/shell.ts';
import type { Field } from '../words/field.ts';
import { isKnown } from '../words/field.ts';

/** One invocation of a program. */
export interface Call {
  /** Base name. */
  readonly name: string;
  /** The words after it. */
  readonly args: readonly Field[];
  readonly frame: Frame;
  readonly shell: Shell;
}

/** Records what a program does with its arguments; returns its output, with HOLE for unknown text. */
export type Program = (call: Call) => string;

export type Programs = Readonly<Record<string, Program>>;

export function use(call: Call, mode: PathMode, ...fields: readonly (Field | undefined)[]): void {
  for (const field of fields) if (field !== undefined) call.shell.usePath(mode, field, call.name, call.frame);
}

/** The same, with further details. */
export function useAs(call: Call, mode: PathMode, more: UseDetails, ...fields: readonly Field[]): void {
  for (const field of fields) call.shell.usePath(mode, field, call.name, call.frame, more);
}

export function unclear(call: Call, why: string): void {
  call.shell.findings.unclear(why);
}

/** Records that a program runs something unknown, and every name around it. */
export function loseTrack(call: Call, why: string): void {
  call.shell.loseTrack(why, call.frame);
}

/** Runs a text in a shell that this program starts. */
export function runShellText(call: Call, text: string, change: Partial<Frame> = {}): string {
  const frame = { ...call.frame, ...change };
  if (!isKnown(text)) {
    loseTrack(call, `${call.name} runs partly unknown text: ${text.slice(0, 60)}`);
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

/** Runs the command in this program's remaining arguments. */
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
