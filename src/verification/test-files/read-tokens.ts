import { type BraceLanguage, lexBraces } from './lex-braces.ts';
import { lexPython } from './lex-python.ts';
import { isMark, type Token } from './token.ts';

/** The tokens of a source file without comments and without the marks that a formatter adds; undefined for other files. */
export function readTokens(path: string, text: string): Token[] | undefined {
  if (path.endsWith('.py')) return lexPython(text).lines.flatMap(({ tokens }) => tokens);
  const language = languageOf(path);
  if (language === undefined) return undefined;
  const { tokens } = lexBraces(text, language);
  return tokens.filter((token, at) => {
    if (isMark(token, ';')) return false;
    const next = tokens[at + 1];
    return !(isMark(token, ',') && (isMark(next, ')') || isMark(next, ']') || isMark(next, '}')));
  });
}

function languageOf(path: string): BraceLanguage | undefined {
  if (/\.[cm]?ts$/.test(path)) return 'js';
  if (/\.[cm]?[jt]sx?$/.test(path)) return 'jsx';
  if (path.endsWith('.go')) return 'go';
  if (path.endsWith('.rs')) return 'rust';
  if (/\.(?:java|kt)$/.test(path)) return 'java';
  return undefined;
}
