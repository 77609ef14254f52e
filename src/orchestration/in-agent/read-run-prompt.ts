import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { cutText } from '../../domain/json/clean-text.ts';

/** A person's `/guardkit-run` prompt. */
export interface RunPrompt {
  /** `guardkit:` if the command comes from the plugin, whose agents have that prefix. */
  prefix: '' | 'guardkit:';
  maxFeatures: number | null;
  /** What to build, as text or a file's path. */
  brief: string;
}

const ORDER = /^\/(guardkit:)?guardkit-run(?=\s|$)/;
const COUNT = /^([1-9]\d{0,3})(?=\s|$)/;
const MAX_BRIEF = 20_000;

/** Undefined for any other prompt. */
export function readRunPrompt(text: string): RunPrompt | undefined {
  const words = text.trimStart();
  const order = ORDER.exec(words);
  if (!order) return undefined;
  const rest = words.slice(order[0].length).trim();
  const count = COUNT.exec(rest);
  return {
    prefix: order[1] === undefined ? '' : 'guardkit:',
    maxFeatures: count ? Number(count[1]) : null,
    brief: rest
      .slice(count?.[0].length ?? 0)
      .trim()
      .slice(0, MAX_BRIEF),
  };
}

/** Usual brief files; the first that exists is read. */
const USUAL = ['BRIEF.md', 'brief.md', 'docs/brief.md', 'README.md'];

/** The brief: a person's text, the file they named, or a usual brief file. */
export function readBrief(checkout: string, { brief }: { brief: string }): { text: string; source: string } {
  const named = brief === '' || brief.length > 300 || brief.includes('\n') ? [] : [brief];
  for (const path of [...named, ...(brief === '' ? USUAL : [])]) {
    const text = readInside(checkout, path);
    if (text !== undefined && text.trim() !== '') return { text: cutText(text, MAX_BRIEF), source: path };
  }
  return { text: cutText(brief, MAX_BRIEF), source: 'the person who started the session' };
}

/** Reads nothing outside the project, even through a link. */
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
    // Safe: if it is not a readable file, the text itself is the brief.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
