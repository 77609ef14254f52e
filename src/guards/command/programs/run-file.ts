import { looksLikePath, resolvePath } from '../resolve-field.ts';
import { type Field, HOLE } from '../words/field.ts';
import { type Call, runShellText, runWrapped, use } from './call.ts';

/** Runs a file with the content that this command wrote to it; otherwise the content is unknown. */
export function runFile(call: Call, file: Field, args: readonly Field[]): string {
  use(call, 'read', file);
  const contents = contentsOf(call, file);
  runUnknown({ ...call, args });
  if (contents === undefined) {
    call.shell.findings.unclear(`runs ${file.text}`);
    return HOLE;
  }
  let output = '';
  for (const content of contents) output += runContent(call, content, file, args);
  return output;
}

export function contentsOf({ frame }: Call, file: Field): readonly string[] | undefined {
  const path = resolvePath(file, frame.scope.cwd);
  return path === undefined ? undefined : frame.scope.files.get(path.path);
}

function runContent(call: Call, content: string, file: Field, args: readonly Field[]): string {
  if (content === HOLE) {
    call.shell.findings.unclear(`runs ${file.text}`);
    return HOLE;
  }
  const words = /^#!\s*(\S{1,200})(?:[ \t]+(\S{1,200}))?/.exec(content);
  const interpreter = words === null ? undefined : words[1]?.endsWith('/env') === true ? words[2] : words[1];
  if (interpreter === undefined || /(?:^|\/)(?:ba|da|z|k|a)?sh$/.test(interpreter)) {
    const scope = call.frame.scope.fork();
    scope.positional = args;
    return runShellText(call, content, { scope });
  }
  return runWrapped(
    call,
    [
      { text: interpreter, glob: false },
      { text: '-', glob: false },
    ],
    { stdin: content },
  );
}

/** Of a program that nothing is known about, every word that looks like a path is a mention. */
export function runUnknown(call: Call): string {
  for (const field of call.args) {
    call.shell.findings.literal(field.text);
    const equals = field.text.indexOf('=');
    const value = equals === -1 ? field.text : field.text.slice(equals + 1);
    const attached = /^-[A-Za-z](?=[./~])/.test(field.text) ? field.text.slice(2) : value;
    // Tools name a place in a file, or a file at a revision, after a colon.
    const pieces = attached.includes(':') ? [attached, ...attached.split(':', 4)] : [attached];
    for (const piece of pieces)
      if (looksLikePath(piece)) use(call, 'mention', { text: piece, glob: field.glob });
  }
  return HOLE;
}
