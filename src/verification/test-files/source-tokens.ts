import { type BraceLanguage, lexBraces } from './lex-braces.ts';
import { lexPython } from './lex-python.ts';
import type { Token } from './token.ts';

/** The tokens of a source file without comments; undefined for files in other languages. */
export function sourceTokens(path: string, text: string): Token[] | undefined {
  if (path.endsWith('.py')) return lexPython(text).lines.flatMap(({ tokens }) => tokens);
  const language = languageOf(path);
  return language === undefined ? undefined : lexBraces(text, language).tokens;
}

function languageOf(path: string): BraceLanguage | undefined {
  if (/\.[cm]?ts$/.test(path)) return 'js';
  if (/\.[cm]?[jt]sx?$/.test(path)) return 'jsx';
  if (path.endsWith('.go')) return 'go';
  if (path.endsWith('.rs')) return 'rust';
  if (/\.(?:java|kt)$/.test(path)) return 'java';
  return undefined;
}
