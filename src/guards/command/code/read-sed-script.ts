export interface SedScript {
  writes: string[];
  reads: string[];
  /** Texts that it passes to a shell. */
  commands: string[];
  /** Whether it runs text made from its input. */
  runsInput: boolean;
}

/** Extracts the files and commands of a sed script: `w`, `r`, `e`, and the flags of `s`. */
export function readSedScript(script: string): SedScript {
  const found: SedScript = { writes: [], reads: [], commands: [], runsInput: false };
  let at = 0;
  while (at < script.length) {
    at = skipAddress(script, at);
    const command = script[at] ?? '';
    at += 1;
    if (command === 's') at = readSubstitution(script, at, found);
    else if (command === 'y') at = skipDelimited(script, at, 2);
    else if ('wWrRe'.includes(command) && command !== '') at = readArgument(script, at, command, found);
    else if ('aic'.includes(command) || command === '#') at = textEnd(script, at);
    else if ('btT:'.includes(command))
      while (at < script.length && !';\n}'.includes(script[at] ?? '')) at += 1;
  }
  return found;
}

function lineEnd(script: string, at: number): number {
  const end = script.indexOf('\n', at);
  return end === -1 ? script.length : end;
}

/** Text continues after a line that ends in a backslash. */
function textEnd(script: string, from: number): number {
  let at = lineEnd(script, from);
  while (script[at - 1] === '\\' && at < script.length) at = lineEnd(script, at + 1);
  return at;
}

function skipAddress(script: string, from: number): number {
  let at = from;
  while (at < script.length) {
    const char = script[at] ?? '';
    if (char === '/') at = skipDelimited(script, at, 1) + (script[at] === 'I' ? 1 : 0);
    else if (char === '\\') at = skipDelimited(script, at + 1, 1);
    else if (' \t\n;{}!,$~+0123456789IM'.includes(char)) at += 1;
    else break;
  }
  return at;
}

/** The offset after delimited texts; starts at the first delimiter. */
function skipDelimited(script: string, from: number, count: number): number {
  const delimiter = script[from];
  let at = from + 1;
  for (let left = count; left > 0 && at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === delimiter) left -= 1;
  }
  return at;
}

function readSubstitution(script: string, from: number, found: SedScript): number {
  let at = skipDelimited(script, from, 2);
  for (; at < script.length; at += 1) {
    const flag = script[at] ?? '';
    if (flag === 'w') return readArgument(script, at + 1, 'w', found);
    if (flag === 'e') found.runsInput = true;
    if (!'gpiImMe0123456789'.includes(flag)) break;
  }
  return at;
}

function readArgument(script: string, from: number, command: string, found: SedScript): number {
  const end = lineEnd(script, from);
  const argument = script.slice(from, end).trim();
  if (command === 'e') {
    if (argument === '') found.runsInput = true;
    else found.commands.push(argument);
  } else if (argument !== '') (command.toLowerCase() === 'w' ? found.writes : found.reads).push(argument);
  return end;
}
