/** One simple command of a shell line. */
export interface ShellCommand {
  /** Without assignments, redirections and quotes. */
  words: string[];
  /** The values of `NAME=value` before the words. */
  assignments: string[];
  /** The folder after earlier `cd` commands of the line, relative to its start. */
  folder: string;
}

export interface ShellLine {
  commands: ShellCommand[];
  /** Parts that cannot be known without running it. */
  unsure: string[];
}

export const RUNS_OUTPUT = 'it runs the output of another command';

type Token = { type: 'word'; text: string } | { type: 'end' | 'open' | 'close' } | { type: 'redirect' };

const MAX_LENGTH = 100_000;
const MAX_DEPTH = 8;
const RESERVED = new Set([
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'do',
  'done',
  'while',
  'until',
  '!',
  '{',
  '}',
  'time',
]);
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** Splits shell text into its simple commands, well enough to see what they run, and reports uncertainties. */
export function splitShell(text: string, depth = 0): ShellLine {
  const unsure = new Set<string>();
  if (text.length > MAX_LENGTH) unsure.add('it is too long');
  if (depth > MAX_DEPTH) return { commands: [], unsure: ['it is nested too deeply'] };
  const commands: ShellCommand[] = [];
  const folders: string[] = [];
  let folder = '.';
  let words: string[] = [];
  const finish = () => {
    const command = simpleCommand(words, folder);
    words = [];
    if (command === undefined) return;
    if (command.words[0] === 'cd' || command.words[0] === 'pushd') {
      const target = command.words.slice(1).find((word) => !word.startsWith('-'));
      if (target === undefined || /[$~`]/.test(target)) unsure.add('it changes to an unknown folder');
      else folder = target.startsWith('/') ? target : `${folder}/${target}`;
    } else if (command.words.length > 0) commands.push(command);
  };
  let skipWord = false;
  for (const token of tokens(text.slice(0, MAX_LENGTH), unsure)) {
    if (token.type === 'word') {
      if (skipWord) skipWord = false;
      else words.push(token.text);
    } else if (token.type === 'redirect') skipWord = true;
    else {
      finish();
      skipWord = false;
      if (token.type === 'open') folders.push(folder);
      else if (token.type === 'close') folder = folders.pop() ?? folder;
    }
  }
  finish();
  return { commands: [...commands, ...nested(commands, unsure, depth)], unsure: [...unsure] };
}

/** A word with spaces may be a command itself, as in `sh -c "…"` or `concurrently "…" "…"`. */
function nested(commands: ShellCommand[], unsure: Set<string>, depth: number): ShellCommand[] {
  const inner: ShellCommand[] = [];
  for (const command of commands) {
    for (const [at, word] of command.words.entries()) {
      if (!/\s/.test(word) || isOtherCode(command.words.slice(0, at), word)) continue;
      const line = splitShell(word, depth + 1);
      for (const reason of line.unsure) unsure.add(reason);
      for (const one of line.commands) inner.push({ ...one, folder: `${command.folder}/${one.folder}` });
    }
  }
  return inner;
}

const OTHER_LANGUAGE =
  /^(?:node|nodejs|deno|bun|tsx|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|jq|yq|awk|gawk|sed|grep|egrep|rg|echo|printf)$/;
const COMMAND_RUNNER =
  /^(?:ba|z|da|k)?sh$|^(?:concurrently|npx|npm|make|env|eval|xargs|start-server-and-test)$/;
/** Code of another language that may run a command. */
export const STARTS_PROCESS = /\b(?:spawn|exec|fork|subprocess|system|popen)/i;

/** Whether a word is code of another language, or text, depending on the program that takes it. */
function isOtherCode(before: readonly string[], word: string): boolean {
  const names = before.map((one) => one.slice(one.lastIndexOf('/') + 1));
  const taker = names.findLast((name) => OTHER_LANGUAGE.test(name) || COMMAND_RUNNER.test(name));
  return taker !== undefined && OTHER_LANGUAGE.test(taker) && !STARTS_PROCESS.test(word);
}

function simpleCommand(all: string[], folder: string): ShellCommand | undefined {
  let start = 0;
  const assignments: string[] = [];
  for (; start < all.length; start += 1) {
    const word = all[start] ?? '';
    if (ASSIGNMENT.test(word)) assignments.push(word.slice(word.indexOf('=') + 1));
    else if (!RESERVED.has(word)) break;
  }
  const words = all.slice(start);
  return words.length === 0 && assignments.length === 0 ? undefined : { words, assignments, folder };
}

function* tokens(text: string, unsure: Set<string>): Generator<Token> {
  let word = '';
  let inWord = false;
  let at = 0;
  const flush = function* (): Generator<Token> {
    if (inWord) yield { type: 'word', text: word };
    word = '';
    inWord = false;
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '\\') {
      if (text[at + 1] !== '\n') {
        word += text[at + 1] ?? '';
        inWord = true;
      }
      at += 2;
    } else if (char === "'" || char === '"') {
      const quoted = readQuoted(text, at, unsure);
      word += quoted.text;
      inWord = true;
      at = quoted.end;
    } else if (char === '#' && !inWord) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (char === '`' || (char === '$' && text[at + 1] === '(')) {
      unsure.add(RUNS_OUTPUT);
      yield* flush();
      yield { type: char === '`' ? 'end' : 'open' };
      at += char === '`' ? 1 : 2;
    } else if (char === '(' || char === ')') {
      yield* flush();
      yield { type: char === '(' ? 'open' : 'close' };
      at += 1;
    } else if (char === '&' && (text[at + 1] === '>' || text[at - 1] === '>' || text[at - 1] === '<')) {
      at += 1;
    } else if (char === ';' || char === '&' || char === '|' || char === '\n') {
      yield* flush();
      yield { type: 'end' };
      at += 1;
    } else if (char === '>' || char === '<') {
      if (text[at + 1] === '<') unsure.add('it contains a here-document');
      if (/^\d+$/.test(word)) {
        word = '';
        inWord = false;
      }
      yield* flush();
      // A file that is read from matters; one that is written to does not.
      if (char === '>') yield { type: 'redirect' };
      while (text[at] === '>' || text[at] === '<' || text[at] === '&') at += 1;
    } else if (char === ' ' || char === '\t' || char === '\r') {
      yield* flush();
      at += 1;
    } else {
      if (char === '$' && /[A-Za-z_{@*]/.test(text[at + 1] ?? '')) unsure.add('it uses a variable');
      word += char;
      inWord = true;
      at += 1;
    }
  }
  yield* flush();
}

function readQuoted(text: string, start: number, unsure: Set<string>): { text: string; end: number } {
  const quote = text[start];
  let content = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === quote) return { text: content, end: at + 1 };
    if (quote === '"' && char === '\\' && /["\\$`\n]/.test(text[at + 1] ?? '')) {
      content += text[at + 1];
      at += 1;
    } else {
      if (quote === '"' && (char === '`' || (char === '$' && text[at + 1] === '('))) unsure.add(RUNS_OUTPUT);
      else if (quote === '"' && char === '$') unsure.add('it uses a variable');
      content += char;
    }
  }
  unsure.add('a quote is not closed');
  return { text: content, end: text.length };
}
