import { posix } from 'node:path';
import { isSameJs } from './same-js.ts';

const JS = /\.[cm]?[jt]s$/;
const JSON_FILE = /\.(?:json[c5]?|mocharc|babelrc|nycrc|c8rc|swcrc|taprc|eslintrc)$/;

/**
 * Whether a formatter could have made this change of a configuration file: it differs in spacing, quotes, semicolons or
 * trailing commas only. False if that is not certain.
 */
export function isFormattingOnly(path: string, before: string, after: string): boolean {
  const name = posix.basename(path);
  if (JSON_FILE.test(name)) return isSameJson(before, after) || isSameJs(before, after);
  if (JS.test(name)) return isSameJs(before, after);
  if (name.endsWith('.toml')) return isSameToml(before, after);
  return /\.ya?ml$/.test(name) && isSameYaml(before, after);
}

function isSameJson(before: string, after: string): boolean {
  try {
    return JSON.stringify(JSON.parse(before)) === JSON.stringify(JSON.parse(after));
  } catch {
    // Safe: it may have comments, and is then compared by tokens.
    return false;
  }
}

/** Only blanks at the end of lines: indentation, line breaks and quotes may be part of a value. */
function isSameYaml(before: string, after: string): boolean {
  const plain = (text: string) => text.trimEnd().replace(/[ \t]+$/gm, '');
  const hasBlocks = /[|>][-+\d]*[ \t]*(?:#.*)?$/m;
  return !hasBlocks.test(before) && !hasBlocks.test(after) && plain(before) === plain(after);
}

const TOKEN = /\n|#[^\n]*|"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'|[[\]{},=]|[^\s[\]{},="'#]+|["']/g;

/** Whether two TOML texts are the same but for spacing, blank lines, quotes, comments and trailing commas. */
function isSameToml(before: string, after: string): boolean {
  const [a, b] = [normalized(before), normalized(after)];
  return a !== undefined && a === b;
}

function normalized(text: string): string | undefined {
  // Lines of a longer string are content.
  if (/"""|'''/.test(text)) return undefined;
  const tokens: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue;
    if (token === '"' || token === "'") return undefined;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') {
      depth -= 1;
      if (token === ']' && tokens.at(-1) === ',' && !/^[[,]$/.test(tokens.at(-2) ?? '[')) tokens.pop();
    }
    if (token !== '\n') tokens.push(plain(token));
    else if (depth === 0 && tokens.length > 0 && tokens.at(-1) !== '\n') tokens.push('\n');
  }
  return tokens.join('\0').replace(/\0?\n$/, '');
}

function plain(token: string): string {
  return /^'[^'"\\]*'$/.test(token) ? `"${token.slice(1, -1)}"` : token;
}
