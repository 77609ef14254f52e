import { isMark, isName, type Token } from './token.ts';

export interface ImportedName {
  /** The name in the file. */
  local: string;
  /** The name in the module; `*` for the module itself, `default` for its default export. */
  name: string;
  module: string;
}

const CLAUSE_WORDS = new Set(['import', 'type', 'from', 'as', 'typeof']);

/** The names that an import statement declares; undefined for any other statement. */
export function importedNames(path: string, tokens: readonly Token[]): ImportedName[] | undefined {
  if (path.endsWith('.py')) return pythonNames(tokens);
  if (path.endsWith('.go')) return goNames(tokens);
  return /\.[cm]?[jt]sx?$/.test(path) ? jsNames(tokens) : undefined;
}

function jsNames(tokens: readonly Token[]): ImportedName[] | undefined {
  const required = requiredModule(tokens);
  if (required !== undefined) {
    const end = tokens.findIndex((token) => isMark(token, '='));
    return readClause(tokens.slice(1, end), required, ':');
  }
  if (!isName(tokens[0], 'import') || isMark(tokens[1], '(') || isMark(tokens[1], '.')) return undefined;
  const at = tokens.findIndex((token) => token.type === 'string');
  const module = tokens[at];
  return module === undefined ? undefined : readClause(tokens.slice(1, at), module.text, 'as');
}

/** `const x = require('module')` and nothing after it. */
function requiredModule(tokens: readonly Token[]): string | undefined {
  if (!/^(?:const|let|var)$/.test(tokens[0]?.text ?? '')) return undefined;
  const at = tokens.findIndex((token) => isMark(token, '='));
  const [called, open, module, close] = tokens.slice(at + 1, at + 5);
  const isCall = isName(called, 'require') && isMark(open, '(') && isMark(close, ')');
  return isCall && module?.type === 'string' && tokens.length === at + 5 ? module.text : undefined;
}

function readClause(clause: readonly Token[], module: string, as: string): ImportedName[] {
  const names: ImportedName[] = [];
  let inBraces = false;
  for (const [at, token] of clause.entries()) {
    if (isMark(token, '{')) inBraces = true;
    else if (isMark(token, '}')) inBraces = false;
    if (token.type !== 'name' || (CLAUSE_WORDS.has(token.text) && !inBraces)) continue;
    const next = clause[at + 1];
    if (next?.text === as || (token.text === as && as === 'as')) continue;
    if (token.text === 'type' && next?.type === 'name') continue;
    const renamed = clause[at - 1]?.text === as ? clause[at - 2] : undefined;
    const name = renamed?.text ?? (inBraces ? token.text : as === 'as' ? 'default' : '*');
    names.push({ local: token.text, name, module });
  }
  return names;
}

function pythonNames(tokens: readonly Token[]): ImportedName[] | undefined {
  const isFrom = isName(tokens[0], 'from');
  if (!isFrom && !isName(tokens[0], 'import')) return undefined;
  const at = tokens.findIndex((token) => isName(token, 'import'));
  const module = isFrom ? textOf(tokens.slice(1, at)) : '';
  return splitList(tokens.slice(at + 1)).flatMap((part): ImportedName[] => {
    const as = part.findIndex((token) => isName(token, 'as'));
    const path = textOf(as === -1 ? part : part.slice(0, as));
    if (path === '') return [];
    const local = as === -1 ? (isFrom ? path : (path.split('.')[0] ?? path)) : (part.at(-1)?.text ?? path);
    return [isFrom ? { local, name: path, module } : { local, name: '*', module: path }];
  });
}

function splitList(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isMark(token, '(') || isMark(token, ')')) continue;
    if (isMark(token, ',')) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function goNames(tokens: readonly Token[]): ImportedName[] | undefined {
  if (!isName(tokens[0], 'import')) return undefined;
  return tokens.flatMap((token, at): ImportedName[] => {
    if (token.type !== 'string') return [];
    const before = tokens[at - 1];
    const alias = before?.type === 'name' && !isName(before, 'import') ? before.text : undefined;
    const module = token.text;
    return [{ local: alias ?? module.split('/').at(-1) ?? module, name: '*', module }];
  });
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join('');
}
