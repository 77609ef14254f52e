import type { Redirection } from 'unbash';
import { isTerminalPath, resolvePath } from '../resolve-field.ts';
import { expandParts, expandText, expandWord, type WordContext } from '../words/expand-word.ts';
import { type Field, HOLE } from '../words/field.ts';
import type { Frame } from './scope.ts';
import type { Shell } from './shell.ts';

export interface Redirected {
  /** The command's input after redirection. */
  stdin: string | undefined;
  /** Targets of its output, written after the command ran. */
  outputs: { field: Field; appends: boolean; by: string }[];
}

/** Records what redirections read and write. */
export function applyRedirections(
  redirections: readonly Redirection[],
  frame: Frame,
  shell: Shell,
  context: WordContext,
): Redirected {
  const result: Redirected = { stdin: frame.stdin, outputs: [] };
  for (const redirection of redirections) {
    shell.findings.step(frame.depth);
    const { descriptor } = redirection;
    const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : undefined;
    const other = descriptor?.type === 'FileDescriptorVariable';
    if (redirection.type === 'HereDoc') {
      const { body, delimiter, operator } = redirection;
      const text =
        body.parts === undefined || delimiter?.quoted === true ? body.text : expandParts(body.parts, context);
      if ((number ?? 0) === 0 && !other)
        result.stdin = operator === '<<-' ? text.replace(/^\t+/gm, '') : text;
    } else if (redirection.type === 'HereString') {
      const text = redirection.target === undefined ? HOLE : expandText(redirection.target, context);
      if ((number ?? 0) === 0 && !other) result.stdin = `${text}\n`;
    } else if (redirection.target !== undefined) {
      const { operator } = redirection;
      for (const field of expandWord(redirection.target, context)) {
        const duplicates = operator.endsWith('&') && /^(?:\d{1,9}-?|-)$/.test(field.text);
        if (duplicates) continue;
        if (field.text === HOLE && operator !== '<')
          shell.findings.unclear(`${operator} writes to an unknown file`);
        const reads = operator.startsWith('<');
        const by = operator;
        if (operator === '<>') shell.usePath('read', field, by, frame);
        shell.usePath(reads && operator !== '<>' ? 'read' : 'write', field, by, frame);
        if (reads && (number ?? 0) === 0 && !other)
          result.stdin = isTerminalPath(field.text) ? undefined : contentOf(field, frame);
        if (!reads && (number ?? 1) === 1 && !other)
          result.outputs.push({ field, appends: operator.includes('>>'), by });
      }
    }
  }
  return result;
}

/** The content of a file that this command wrote. */
export function contentOf(field: Field, { scope }: Frame): string {
  const path = resolvePath(field, scope.cwd);
  const contents = path === undefined ? undefined : scope.files.get(path.path);
  return contents === undefined ? HOLE : contents.join('\n');
}

/** Records written output; returns the rest, which goes to the pipe. */
export function writeOutputs(output: string, { outputs }: Redirected, frame: Frame, shell: Shell): string {
  if (outputs.length === 0) return output;
  const { scope } = frame;
  for (const { field, appends, by } of outputs) {
    if (output === '' && !appends) shell.usePath('write', field, by, frame, { empties: true });
    const target = resolvePath(field, scope.cwd);
    if (target === undefined || target.glob) continue;
    const before = scope.files.get(target.path)?.join('\n') ?? '';
    scope.writeFile(target.path, appends && before !== '' ? before + output : output);
  }
  return '';
}
