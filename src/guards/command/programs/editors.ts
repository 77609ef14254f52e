import { readSedScript } from '../code/read-sed-script.ts';
import { tokenizeCode } from '../code/tokenize-code.ts';
import { HOLE, isKnown, plainField } from '../words/field.ts';
import { type Call, loseTrack, type Program, type Programs, runShellText, use } from './call.ts';
import { type OptionShape, readOptions } from './read-options.ts';
import { contentsOf } from './run-file.ts';

const sed: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'efl',
    attached: 'i',
    long: ['expression', 'file', 'line-length'],
    flags: [
      'in-place',
      'quiet',
      'silent',
      'regexp-extended',
      'separate',
      'unbuffered',
      'null-data',
      'posix',
      'debug',
      'follow-symlinks',
      'sandbox',
    ],
  });
  const scripts = options.values('e', 'expression');
  const files = options.values('f', 'file');
  use(call, 'read', ...files);
  const given = scripts.length > 0 || files.length > 0;
  const operands = options.operands.slice(given ? 0 : 1);
  const texts = given ? scripts : options.operands.slice(0, 1);
  for (const { text } of texts) runSedScript(call, text);
  for (const file of files) {
    const contents = contentsOf(call, file);
    if (contents === undefined) call.shell.findings.unclear(`sed runs ${file.text}`);
    for (const content of contents ?? []) runSedScript(call, content);
  }
  const inPlace = options.has('i', 'in-place', 'I');
  // On BSD an empty word after -i is the backup suffix, followed by the script.
  use(call, inPlace ? 'write' : 'read', ...operands.filter(({ text }) => text !== ''));
  if (inPlace && texts[0]?.text === '') runSedScript(call, operands[0]?.text ?? '');
  return HOLE;
};

function runSedScript(call: Call, script: string): void {
  const { writes, reads, commands, runsInput } = readSedScript(script);
  use(call, 'write', ...writes.map(plainField));
  use(call, 'read', ...reads.map(plainField));
  for (const text of commands) runShellText(call, text);
  if (runsInput) loseTrack(call, 'sed runs text made from its input');
}

const awk: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'fvFiElmW',
    long: ['file', 'assign', 'field-separator', 'include', 'load', 'source', 'exec'],
    flags: ['in-place'],
  });
  const files = options.values('f', 'file', 'E', 'exec');
  use(call, 'read', ...files);
  const variables = new Map<string, string>();
  for (const { text } of [...options.values('v', 'assign'), ...options.operands]) {
    const match = /^([A-Za-z_]\w{0,100})=/.exec(text);
    if (match !== null) variables.set(match[1] ?? '', text.slice(match[0].length));
  }
  for (const value of variables.values()) call.shell.findings.literal(value);
  const sources = options.values('source', 'e');
  const given = files.length > 0 || sources.length > 0;
  const programs = given
    ? [...sources.map(({ text }) => text), ...files.flatMap((file) => contentsOf(call, file) ?? [])]
    : [options.operands[0]?.text ?? ''];
  if (files.some((file) => contentsOf(call, file) === undefined))
    call.shell.findings.unclear(`awk runs ${files[0]?.text ?? ''}`);
  for (const program of programs) runAwkProgram(call, program, variables);
  const inPlace =
    options.values('i', 'include').some(({ text }) => text === 'inplace') || options.has('in-place');
  const operands = options.operands
    .slice(given ? 0 : 1)
    .filter(({ text }) => !/^[A-Za-z_]\w{0,100}=/.test(text));
  use(call, inPlace ? 'write' : 'read', ...operands);
  return HOLE;
};

/** Follows `> "file"`, `| "command"`, `"command" | getline` and system("command"). */
function runAwkProgram(call: Call, program: string, variables: ReadonlyMap<string, string>): void {
  const tokens = tokenizeCode(program, 'other');
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    const after = tokens[at + 1];
    const value =
      token.type === 'string' ? token.text : token.type === 'name' ? variables.get(token.text) : undefined;
    const mark = before?.type === 'mark' ? before.text : '';
    const called = mark === '(' && tokens[at - 2]?.type === 'name' && tokens[at - 2]?.text === 'system';
    const piped =
      after?.type === 'mark' &&
      after.text === '|' &&
      tokens[at + 2]?.type === 'name' &&
      tokens[at + 2]?.text === 'getline';
    if (value === undefined) {
      if (token.type === 'name' && (called || mark === '|') && token.text !== 'getline')
        loseTrack(call, 'awk runs text made from its input');
      continue;
    }
    if (!called && !piped && !'<>|&'.includes(mark || ' ')) continue;
    const text = concatenation(tokens, at, variables);
    if (mark === '>') use(call, 'write', plainField(text));
    else if (mark === '<') use(call, 'read', plainField(text));
    else if (called || piped || mark === '|' || mark === '&') runShellText(call, text);
  }
}

/** awk concatenates adjacent values. */
function concatenation(
  tokens: ReturnType<typeof tokenizeCode>,
  from: number,
  variables: ReadonlyMap<string, string>,
): string {
  let text = '';
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.type === 'string') text += token.text;
    else if (token?.type === 'name' && token.text !== 'getline') text += variables.get(token.text) ?? HOLE;
    else break;
  }
  return text;
}

/** ed, ex and vim: take commands from options or input, and write files. */
function editor(shape: OptionShape): Program {
  return (call) => {
    const plus = call.args.filter(({ text }) => /^\+./.test(text));
    const options = readOptions(
      call.args.filter((field) => !plus.includes(field)),
      shape,
    );
    use(call, 'read', ...options.values('S', 's', 'u', 'W').filter(({ text }) => text !== ''));
    use(call, 'write', ...options.operands);
    const texts = [
      ...options.values('c', 'cmd'),
      ...plus.map(({ text, glob }) => ({ text: text.slice(1), glob })),
    ];
    const input = call.frame.stdin;
    if (input !== undefined && isKnown(input))
      texts.push(...input.split('\n').slice(0, 2000).map(plainField));
    if (options.has('S')) call.shell.findings.unclear(`${call.name} runs ${options.value('S')?.text ?? ''}`);
    for (const { text } of texts) runEditorCommand(call, text);
    return HOLE;
  };
}

function runEditorCommand(call: Call, text: string): void {
  for (const piece of text.split('|')) {
    const shell = /^[:\s%\d,$.]{0,20}(?:r|w)?\s{0,5}!(.+)/.exec(piece)?.[1];
    if (shell !== undefined) {
      runShellText(call, shell);
      continue;
    }
    const match =
      /^[:\s%\d,$.'<>]{0,20}(w|wq|write|sav|saveas|e|edit|r|read|so|source|f|up|x|W)!?\s+(\S.{0,4000})$/.exec(
        piece,
      );
    if (match === null) continue;
    const mode = /^(?:e|edit|r|read|so|source|f)$/.test(match[1] ?? '') ? 'mention' : 'write';
    use(call, mode, plainField((match[2] ?? '').replace(/^>>\s*/, '').trim()));
  }
  if (/\b(?:system|writefile|execute|delete|rename)\s*\(|\b(?:py3?|python3?|lua|perl|ruby)\s/.test(text)) {
    loseTrack(call, `${call.name} runs code`);
    for (const token of tokenizeCode(text, 'other'))
      if (token.type === 'string') use(call, 'mention', plainField(token.text));
  }
}

const vim = editor({ short: 'csSuWTrtqwi', long: ['cmd', 'startuptime'] });
const ed = editor({ short: 'p', long: [] });

/** Stream and file editors. */
export const EDITORS: Programs = {
  sed,
  ssed: sed,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  ed,
  red: ed,
  ex: vim,
  vi: vim,
  vim,
  nvim: vim,
  view: vim,
  vimdiff: vim,
  nano: editor({ short: 'rTQYoCs' }),
  emacs: (call) => {
    const options = readOptions(call.args, {
      short: 'lfq',
      long: ['eval', 'load', 'visit', 'file', 'execute', 'directory'],
      singleDash: true,
    });
    use(call, 'write', ...options.operands, ...options.values('visit', 'file'));
    loseTrack(call, 'emacs runs code');
    for (const { text } of options.values('eval', 'execute'))
      for (const token of tokenizeCode(text, 'other'))
        if (token.type === 'string') use(call, 'mention', plainField(token.text));
    return HOLE;
  },
};
