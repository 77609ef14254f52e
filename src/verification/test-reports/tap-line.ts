import type { TestStatus } from '../../domain/entities/test-report.ts';

export type TapLine =
  | { type: 'version' }
  | { type: 'plan'; count: number; reason: string }
  | { type: 'point'; number: number | undefined; name: string; status: TestStatus; reason: string }
  | { type: 'bail'; reason: string }
  | { type: 'comment'; text: string }
  | { type: 'other' };

/** Says what one line of TAP is, its indentation taken off before. */
export function readTapLine(line: string): TapLine {
  if (/^TAP version \d+\s*$/i.test(line)) return { type: 'version' };
  if (line.startsWith('Bail out!')) return { type: 'bail', reason: line.slice(9).trim() };
  if (line.startsWith('#')) return { type: 'comment', text: line.slice(1).trim() };
  const plan = /^1\.\.(\d{1,9})(?:\s|$)/.exec(line);
  if (plan !== null) {
    return { type: 'plan', count: Number(plan[1]), reason: splitDirective(line).reason };
  }
  const point = /^(not )?ok(?= |$)/.exec(line);
  return point === null ? { type: 'other' } : readPoint(line.slice(point[0].length), point[1] === undefined);
}

function readPoint(rest: string, ok: boolean): TapLine {
  const { text, directive, reason } = splitDirective(rest);
  const number = /^ +(\d{1,9})(?= |$)/.exec(text);
  const described = text.slice(number?.[0].length ?? 0).trim();
  const name = described === '-' ? '' : described.startsWith('- ') ? described.slice(2).trim() : described;
  return {
    type: 'point',
    number: number === null ? undefined : Number(number[1]),
    name: unescaped(name),
    // What is to do may fail; a skipped test that is `not ok` has failed all the same.
    status: directive === 'todo' ? 'todo' : !ok ? 'failed' : directive === 'skip' ? 'skipped' : 'passed',
    reason,
  };
}

/** Takes `# SKIP why`, `# TODO why` and `# time=2ms` off the end. */
function splitDirective(text: string): { text: string; directive?: 'skip' | 'todo'; reason: string } {
  for (let at = text.indexOf('#'); at !== -1; at = text.indexOf('#', at + 1)) {
    if (text[at - 1] !== ' ') continue;
    const after = text.slice(at + 1, at + 1 + 500).trimStart();
    const found = /^(skip|todo)\S*\s*/i.exec(after);
    if (found !== null) {
      const directive = found[1]?.toLowerCase() === 'todo' ? 'todo' : 'skip';
      return { text: text.slice(0, at - 1), directive, reason: after.slice(found[0].length).trim() };
    }
    if (after.startsWith('time=')) return { text: text.slice(0, at - 1), reason: '' };
  }
  return { text, reason: '' };
}

function unescaped(name: string): string {
  return name.includes('\\') ? name.replace(/\\([#\\])/g, '$1') : name;
}
