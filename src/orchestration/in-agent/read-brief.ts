import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { cutText } from '../../domain/json/clean-text.ts';

const MAX_BRIEF = 20_000;
/** Where people write down what they want, the first that is there. */
const USUAL = ['BRIEF.md', 'brief.md', 'docs/brief.md', 'README.md'];

/** What is to be built: a person's own words, the file that they named, or one that usually says it. */
export function readBrief(checkout: string, { brief }: { brief: string }): { text: string; source: string } {
  const named = brief === '' || brief.length > 300 || brief.includes('\n') ? [] : [brief];
  for (const path of [...named, ...(brief === '' ? USUAL : [])]) {
    const text = readInside(checkout, path);
    if (text !== undefined && text.trim() !== '') return { text: cutText(text, MAX_BRIEF), source: path };
  }
  return { text: cutText(brief, MAX_BRIEF), source: 'the person who started the session' };
}

/** Nothing outside of the project is read, whatever a name or a link says. */
function readInside(checkout: string, path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    const real = realpathSync(join(checkout, path));
    if (!real.startsWith(checkout + sep)) return undefined;
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) return undefined;
    const buffer = Buffer.alloc(MAX_BRIEF * 4);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer));
  } catch {
    // Safe: what cannot be read is no file, and the words themselves are the brief.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
