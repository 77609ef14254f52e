import { isMark, isName, type Token, type TokenList } from './token.ts';

/** The functions with which a file tests and asserts. */
const WORDS = new Set(['assert', 'expect', 'test', 'it', 'describe']);
const JUDGING = new Set(['assert', 'expect']);
/** The source of a function that the file itself defines. */
export const OWN = '(this file)';
const MAX_CLAUSE = 200;

/**
 * The sources of a JavaScript file's test functions: the imported module, or the file itself. Globals are not listed.
 */
export function assertionSources({ tokens }: TokenList): Map<string, string> {
  const sources = new Map<string, string>();
  const modules = new Map<string, string>();
  let depth = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (isMark(token, '{')) depth += 1;
    else if (isMark(token, '}')) depth -= 1;
    if (token.type !== 'name') continue;
    if (token.text === 'import' && !isMark(tokens[at + 1], '(') && !isMark(tokens[at + 1], '.')) {
      const end = clauseEnd(tokens, at + 1);
      const module = tokens[end];
      if (module?.type !== 'string') continue;
      for (let place = at + 1; place < end; place += 1) bind(tokens, place, module.text);
      at = end;
    } else if (/^(?:const|let|var|function|class)$/.test(token.text)) define(at);
    else if (JUDGING.has(token.text) && isReplacedPart(tokens, at)) sources.set(token.text, OWN);
  }
  return sources;

  function bind(all: Token[], place: number, module: string): void {
    const name = all[place];
    if (name?.type !== 'name' || isName(all[place + 1], 'as')) return;
    modules.set(name.text, module);
    if (WORDS.has(name.text)) sources.set(name.text, module);
  }

  function define(at: number): void {
    const name = tokens[at + 1];
    if (name?.type !== 'name') return;
    const start = tokens[at + 3];
    const required = isName(start, 'require') && isMark(tokens[at + 6], ')') ? tokens[at + 5] : undefined;
    if (required?.type === 'string') modules.set(name.text, required.text);
    // Inside a function, `it` may be anything; if it replaced a test, the test run shows it missing.
    if (!WORDS.has(name.text) || (depth > 0 && !JUDGING.has(name.text))) return;
    if (isName(start, 'require') && tokens[at + 5]?.type === 'string')
      sources.set(name.text, tokens[at + 5]?.text ?? '');
    else if (extendsAnother(tokens, at + 2))
      sources.set(name.text, modules.get(start?.text ?? '') ?? 'another');
    else if (start?.type === 'name' && isMark(tokens[at + 2], '=') && isMark(tokens[at + 4], '.'))
      sources.set(name.text, modules.get(start.text) ?? OWN);
    else sources.set(name.text, OWN);
  }
}

/** The index of the module's name in an import. */
function clauseEnd(tokens: Token[], start: number): number {
  let at = start;
  while (
    at < Math.min(start + MAX_CLAUSE, tokens.length) &&
    tokens[at]?.type !== 'string' &&
    !isMark(tokens[at], ';')
  )
    at += 1;
  return at;
}

/** `base.extend(…)`: a test with fixtures is still a test. */
function extendsAnother(tokens: Token[], start: number): boolean {
  for (let at = start; at < Math.min(start + 12, tokens.length); at += 1) {
    if (isMark(tokens[at], ';')) return false;
    if (isName(tokens[at], 'extend') && isMark(tokens[at - 1], '.')) return true;
  }
  return false;
}

/** `assert.equal = …`. */
function isReplacedPart(tokens: Token[], at: number): boolean {
  if (!isMark(tokens[at + 1], '.') || tokens[at + 2]?.type !== 'name' || !isMark(tokens[at + 3], '='))
    return false;
  return !isMark(tokens[at + 4], '=');
}
