import { posix } from 'node:path';
import { isSameJs } from './same-js.ts';
import { isSameToml } from './same-toml.ts';

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
