import * as z from 'zod';

/** Linux allows 4096 bytes, so no real path is longer. */
const MAX_PATH = 4096;
const MAX_NAME = 300;
const MAX_LINE = 500;

/** Text that is cut rather than refused: an entry must not be lost because a command was long. */
export function shortened(max: number) {
  return z.string().overwrite((text) => cut(text, max));
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}

/** One line for people. */
export const lineSchema = shortened(MAX_LINE);

/** Names from outside: sessions, agents, people. */
export const nameSchema = shortened(MAX_NAME);

export const pathSchema = z.string().min(1).max(MAX_PATH);

/** SHA-256 in hex, with a prefix such as `link:` if it is not the content of a file. */
export const hashSchema = z.string().min(1).max(100);

/** Permission bits. */
export const modeSchema = z.int().min(0).max(0o7777);

export const entryNumbersSchema = z.array(z.int().min(1)).min(1).max(10_000);
