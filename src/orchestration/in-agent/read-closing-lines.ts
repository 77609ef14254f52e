import { cleanText } from '../../domain/json/clean-text.ts';
import { withoutRecalled } from '../../domain/precedent-marks.ts';

/** An agent's claim at its end; it decides the next phase and is never evidence. */
export interface Closing {
  claim: 'done' | 'failed' | 'none';
  /** The end of its answer, for the next agent. */
  said: string;
}

/** Only the end of a longer answer is read: the closing lines are there. */
const MAX_READ = 20_000;
const MAX_SAID = 4000;

/**
 * Reads the closing lines that the agents' files ask for. A claim about another feature is ignored; of two claims, the
 * worse one counts: at worst it costs another attempt.
 */
export function readClosingLines(agent: 'coding' | 'tester', feature: string, text: string): Closing {
  const words = cleanText(text.slice(-MAX_READ)).trim();
  const lines = words.split('\n').map(plainLine);
  const claims = new Set(lines.map((line) => READERS[agent](line, feature)));
  const claim = claims.has('failed') ? 'failed' : claims.has('done') ? 'done' : 'none';
  return { claim, said: withoutRecalled(words).slice(-MAX_SAID) };
}

/** Without Markdown marks. */
function plainLine(line: string): string {
  return line
    .slice(0, 400)
    .replace(/^[\s>*_#`-]{1,20}/, '')
    .replace(/[*_`]/g, '');
}

const CODING = /^IMPLEMENTATION (COMPLETE|BLOCKED)\b(?:\s*[-–—:]\s*Feature\s+([A-Za-z0-9._-]{1,120}))?/;

function readCoding(line: string, feature: string): Closing['claim'] {
  const found = CODING.exec(line);
  if (!found) return 'none';
  const [, word, named] = found;
  if (named !== undefined && trimDots(named) !== feature) return 'none';
  return word === 'COMPLETE' ? 'done' : 'failed';
}

function readTester(line: string): Closing['claim'] {
  if (/^FAILED(?![A-Za-z])/.test(line)) return 'failed';
  return /^PASSED(?![A-Za-z])/.test(line) ? 'done' : 'none';
}

const READERS = { coding: readCoding, tester: readTester } as const;

/** An id may end a sentence. */
function trimDots(id: string): string {
  let end = id.length;
  while (end > 0 && id[end - 1] === '.') end -= 1;
  return id.slice(0, end);
}
