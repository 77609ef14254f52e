import { resolvePath } from '../resolve-path.ts';
import { type Field, HOLE } from '../words/field.ts';
import { type Call, runShellText, runWrapped, use } from './call.ts';
import { runUnknown } from './unknown.ts';

/** Runs a file: what this command itself wrote into it, or else what nobody knows. */
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
