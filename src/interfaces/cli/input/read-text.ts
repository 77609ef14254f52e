import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { GuardKitError } from '../../../guardkit-error.ts';
import { formatBytes } from '../output/printable.ts';
import type { CliContext } from '../program/cli-command.ts';

interface ReadTextOptions {
  /** A longer text is refused: endless input must not fill the memory. */
  maxBytes: number;
  /** Hint if it cannot be read. */
  hint: string;
}

/** Reads a whole text file, or standard input for `-`. */
export async function readText(
  { cwd, stdin }: Pick<CliContext, 'cwd' | 'stdin'>,
  file: string,
  { maxBytes, hint }: ReadTextOptions,
): Promise<string> {
  const name = inputName(file);
  const refuse = (why: string, cause?: unknown) =>
    new GuardKitError({ code: 'file.unreadable', kind: 'input', message: `${name} ${why}.`, hint, cause });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of file === '-' ? stdin : createReadStream(resolve(cwd, file))) {
      chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    throw refuse(describeReadError(error), error);
  }
  if (bytes > maxBytes) throw refuse(`is larger than ${formatBytes(maxBytes)}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw refuse('is not UTF-8 text', error);
  }
}

/** The name of the input in messages. */
export function inputName(file: string): string {
  return file === '-' ? 'Standard input' : file;
}

function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EISDIR') return 'is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'is not readable: permission denied';
  return `cannot be read: ${error instanceof Error ? error.message : error}`;
}
