import { isMark, isName, type Token } from './token.ts';

const MODULES =
  /^(?:(?:node:)?assert(?:\/strict)?|uvu\/assert|chai|power-assert|@japa\/assert|@std\/(?:assert|expect)|.*\/std(?:@[^/]*)?\/(?:testing\/asserts|assert\/mod)\.ts)$/;
const MAX_CLAUSE = 200;

export interface AssertionImports {
  /** Functions that assert and are called by their own name. */
  functions: ReadonlySet<string>;
  /** Names of modules whose methods assert. */
  modules: ReadonlySet<string>;
}

/** What a JavaScript file takes from modules of assertions: `import { equal } from 'node:assert'`, or by require. */
export function assertionImports(tokens: readonly Token[]): AssertionImports {
  const functions = new Set<string>();
  const modules = new Set<string>(['assert']);
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name') continue;
    if (token.text === 'import' && !isMark(tokens[at + 1], '(')) {
      const end = findFrom(tokens, at + 1, ({ type }) => type === 'string');
      if (MODULES.test(tokens[end]?.text ?? '')) take(tokens.slice(at + 1, end));
    } else if (/^(?:const|let|var)$/.test(token.text)) {
      const end = findFrom(tokens, at + 1, (one) => isMark(one, '='));
      const source = tokens[end + 1];
      const isModule =
        (isName(source, 'require') && MODULES.test(tokens[end + 3]?.text ?? '')) ||
        (source?.type === 'name' && modules.has(source.text) && !isMark(tokens[end + 2], '('));
      if (isModule) take(tokens.slice(at + 1, end));
    }
  }
  return { functions, modules };

  /** In braces, names of functions; otherwise the module itself. */
  function take(clause: readonly Token[]): void {
    const open = clause.findIndex((one) => isMark(one, '{'));
    for (const [at, { type, text }] of clause.entries()) {
      if (type !== 'name' || text === 'from' || text === 'as' || text === 'type') continue;
      if (isName(clause[at + 1], 'as') || isMark(clause[at + 1], ':')) continue;
      (open !== -1 && at > open ? functions : modules).add(text);
    }
  }
}

function findFrom(tokens: readonly Token[], start: number, fits: (token: Token) => boolean): number {
  for (let at = start; at < Math.min(start + MAX_CLAUSE, tokens.length); at += 1) {
    const token = tokens[at] as Token;
    if (fits(token)) return at;
    if (isMark(token, ';') || isMark(token, '(')) return -1;
  }
  return -1;
}
