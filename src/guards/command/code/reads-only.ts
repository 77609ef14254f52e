import { type Language, tokenizeCode } from './tokenize-code.ts';

/** Calls that change nothing. */
const HARMLESS = new Set(
  `print open load loads dumps read readline readlines read_text read_bytes json len sorted sum min max any all list dict set
  tuple str int float bool range enumerate zip map filter items keys values get split strip rstrip lstrip startswith endswith
  join format splitlines lower upper count find index Path exists is_file is_dir glob iterdir isinstance type round
  console log error readFileSync readFile require parse stringify existsSync readdirSync statSync JSON Object entries
  fromEntries forEach some every includes reduce slice concat length toString trim toUpperCase toLowerCase match test flat
  flatMap flat push Number String Boolean Array isArray Set Map has resolve basename dirname extname exit abs next iter
  if while for return and or not in is elif else assert del with lambda yield await typeof`.split(/\s+/),
);
/** Names that can change something, if called or passed to another function. */
const HARMFUL =
  /write|unlink|remove|rename|replace|rmtree|rmdir|^rm|truncate|append|copy|chmod|chown|link|mkdir|exec|spawn|fork|system|popen|subprocess|binding|dlopen|kill|putenv|^dump$|eval|constructor|prototype|getattr|setattr|globals|locals|^vars$|^Function$|^globalThis$|^__|compile|importlib|createServer|worker/i;
const PROCESS_FIELDS = /^(?:argv|env|cwd|exit|stdin)$/;
const MODULES =
  /^(?:json|sys|os|re|pathlib|collections|itertools|yaml|tomllib|textwrap|math|datetime|csv|fs|path|util|url|node:(?:fs|path|util|url))$/;

/**
 * Whether code certainly changes nothing: it calls only names that are known to be harmless. Only for languages without
 * other ways to write a call.
 */
export function readsOnly(code: string, language: Language): boolean {
  if (language !== 'python' && language !== 'javascript') return false;
  const tokens = tokenizeCode(code, language);
  return tokens.every((_, at) => isHarmless(tokens, at, language));
}

function isHarmless(tokens: Tokens, at: number, language: Language): boolean {
  const token = tokens[at];
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (token === undefined || token.type === 'string') return true;
  if (token.type === 'command') return false;
  if (token.type === 'name') return isHarmlessName(token.text, tokens, at, language);
  if (
    token.text === '[' &&
    language === 'javascript' &&
    (before?.type === 'name' || isMark(before, ')') || isMark(before, ']'))
  )
    return hasPlainKey(after, tokens[at + 2]);
  if (token.text !== '(') return true;
  if (before?.type === 'string' || isMark(before, ')') || isMark(before, ']')) return false;
  if (before?.type !== 'name') return true;
  if (before.text === 'open') return opensForReading(tokens, at);
  if (before.text === 'require') return requiresHarmless(after);
  return HARMLESS.has(before.text);
}

function isHarmlessName(name: string, tokens: Tokens, at: number, language: Language): boolean {
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (HARMFUL.test(name) || name.startsWith('@')) return false;
  if (name === 'process') {
    const field = tokens[at + 2];
    return isMark(after, '.') && field?.type === 'name' && PROCESS_FIELDS.test(field.text);
  }
  // An alias with a harmless name could call anything.
  if (name === 'as' && !isMark(before, ')')) return false;
  if (
    HARMLESS.has(name) &&
    isMark(after, '=') &&
    !isMark(tokens[at + 2], '=') &&
    !isMark(before, '(') &&
    !isMark(before, ',')
  )
    return false;
  const imported = before?.type === 'name' && (before.text === 'import' || before.text === 'from');
  if (imported && !MODULES.test(name) && !isImportedName(tokens, at)) return false;
  // A name before a template literal is a call.
  const tags = after?.type === 'string' && language === 'javascript';
  return !tags || /^(?:return|typeof|case|from|import|in|of)$/.test(name);
}

function isMark(token: Tokens[number] | undefined, text: string): boolean {
  return token?.type === 'mark' && token.text === text;
}

/** Whether the member is known, as in `a['b']` and `a[0]`. */
function hasPlainKey(key: Tokens[number] | undefined, end: Tokens[number] | undefined): boolean {
  if (key?.type === 'string') return isMark(end, ']') && !HARMFUL.test(key.text);
  return key?.type === 'mark' && /\d/.test(key.text);
}

type Tokens = ReturnType<typeof tokenizeCode>;

/** `Path` in `from pathlib import Path`. */
function isImportedName(tokens: Tokens, at: number): boolean {
  const module = tokens[at - 2];
  const from = tokens[at - 3];
  return (
    module?.type === 'name' && MODULES.test(module.text) && from?.type === 'name' && from.text === 'from'
  );
}

function opensForReading(tokens: Tokens, at: number): boolean {
  let depth = 0;
  for (let place = at; place < tokens.length; place += 1) {
    const token = tokens[place];
    if (token?.type === 'mark' && token.text === '(') depth += 1;
    if (token?.type === 'mark' && token.text === ')' && --depth === 0) return true;
    if (depth === 1 && token?.type === 'mark' && token.text === ',') {
      const mode = tokens[place + 1];
      const named = mode?.type === 'name' && mode.text === 'encoding';
      if (!named && !(mode?.type === 'string' && /^[rbt]{1,2}$/.test(mode.text))) return false;
    }
  }
  return false;
}

function requiresHarmless(token: Tokens[number] | undefined): boolean {
  return token?.type === 'string' && (MODULES.test(token.text) || token.text.endsWith('.json'));
}
