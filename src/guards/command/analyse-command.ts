import type { AnalyseOptions, CommandAnalysis } from './command-analysis.ts';
import { Findings, TooLarge } from './findings.ts';
import { measureStructure } from './measure-structure.ts';
import { Scope } from './shell/scope.ts';
import { Walk } from './shell/walk.ts';
import { HOLE, MARK } from './words/field.ts';

export type { AnalyseOptions, CommandAnalysis, Invocation, PathMode, PathUse } from './command-analysis.ts';

/** Most of a text that is too large to be parsed, for the names in it. */
const MAX_SCANNED = 256 * 1024;

/**
 * What a shell command would run, read and write. It looks at the text alone: nothing is run, no file is opened. It
 * never throws; what it cannot follow is named in `unclear`.
 */
export function analyseCommand(command: string, options: AnalyseOptions): CommandAnalysis {
  const findings = new Findings();
  // A shell drops these characters, so that a word is not what it looks like with them.
  const source = command.replaceAll(HOLE, '').replaceAll(MARK, '').replaceAll('\r\n', '\n');
  const tooLarge = measureStructure(source);
  if (tooLarge !== undefined) return giveUp(findings, tooLarge, source);
  try {
    new Walk(findings, options.root).runText(source, {
      scope: new Scope(options.cwd, options.home, options.env ?? {}),
      depth: -1,
      source,
      statement: source,
      background: false,
      stdin: undefined,
      wrappers: [],
      environment: {},
      checked: false,
      calls: [],
    });
  } catch (error) {
    // Whatever went wrong, the caller is told that the command was not understood, and decides on the names in it.
    const why = error instanceof TooLarge ? error.message : 'it could not be followed to its end';
    return giveUp(findings, why, source);
  }
  return findings.analysis();
}

function giveUp(findings: Findings, why: string, source: string): CommandAnalysis {
  findings.ok = false;
  findings.unclear(`not all of it was looked at: ${why}`);
  findings.literalsOf(source.slice(0, MAX_SCANNED));
  if (/[^&>|]&(?![&>])/.test(source)) findings.background = true;
  return findings.analysis();
}
