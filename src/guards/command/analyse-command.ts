import type { AnalyseOptions, CommandAnalysis } from './command-analysis.ts';
import { Findings, TooLarge } from './command-findings.ts';
import { measureStructure } from './measure-structure.ts';
import { Scope } from './shell/scope.ts';
import { Walk } from './shell/walk.ts';
import { HOLE, MARK } from './words/field.ts';

export type { AnalyseOptions, CommandAnalysis, Invocation, PathMode, PathUse } from './command-analysis.ts';

/** How much of a text that is too large to parse is searched for names. */
const MAX_SCANNED = 256 * 1024;

/**
 * Determines what a shell command would run, read and write, from its text alone: runs nothing and opens no file. Never
 * throws; lists in `unclear` what it cannot follow.
 */
export function analyseCommand(command: string, options: AnalyseOptions): CommandAnalysis {
  const findings = new Findings();
  // A shell drops these characters, so a word with them is not what it looks like.
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
    // On any error the caller learns that the command was not understood, and decides by the names in it.
    const why = error instanceof TooLarge ? error.message : 'the analysis failed';
    return giveUp(findings, why, source);
  }
  return findings.analysis();
}

function giveUp(findings: Findings, why: string, source: string): CommandAnalysis {
  findings.ok = false;
  findings.unclear(`not analysed completely: ${why}`);
  findings.literalsOf(source.slice(0, MAX_SCANNED));
  if (/[^&>|]&(?![&>])/.test(source)) findings.background = true;
  return findings.analysis();
}
