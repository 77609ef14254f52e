import type { Action } from './action.ts';
import type { Invocation } from './command/command-analysis.ts';
import { gitCall } from './git-call.ts';
import type { RealPath } from './real-path.ts';

const MAX_NAMED = 3;
const MAX_LENGTH = 300;

/** The same text for the same kind of action; patterns are grouped by it. */
export function actionSignature(action: Action): string {
  return `${action.kind} ${objectOf(action)}`.trim().replace(/\s+/g, ' ').slice(0, MAX_LENGTH).toWellFormed();
}

function objectOf(action: Action): string {
  switch (action.kind) {
    case 'read':
      return few(action.files.map(shownPath));
    case 'edit':
      return few(action.files.map(({ file }) => shownPath(file)));
    case 'command':
      return few(action.analysis.invocations.map(programOf));
    case 'spawn':
      return action.type;
    case 'tool':
      return action.name;
    case 'stop':
      return action.of;
    case 'settings':
      return action.file ? shownPath(action.file) : '';
  }
}

function shownPath({ inProject, real }: RealPath): string {
  return inProject ?? real;
}

function programOf(invocation: Invocation): string {
  const call = gitCall(invocation);
  return call ? `git ${call.subcommand}` : invocation.program;
}

function few(names: readonly string[]): string {
  return [...new Set(names)].slice(0, MAX_NAMED).join(', ');
}
