import type { ParsedScript } from 'unbash';
import type { PathMode } from '../command-analysis.ts';
import type { Findings } from '../findings.ts';
import type { Field } from '../words/field.ts';
import type { Frame } from './scope.ts';
import type { UseDetails } from './use-path.ts';

/** Runs commands in thought. What they print comes back; HOLE stands for what is not known. */
export interface Shell {
  readonly findings: Findings;
  readonly root: string | undefined;
  runParsed(script: ParsedScript, frame: Frame): string;
  /** Runs a text as a shell would. */
  runText(text: string, frame: Frame): string;
  /** Runs one command whose words are known. */
  runFields(fields: readonly Field[], frame: Frame): string;
  usePath(mode: PathMode, text: Field, by: string, frame: Frame, more?: UseDetails): void;
  /** Says that something cannot be followed, and keeps every name in it. */
  loseTrack(why: string, frame: Frame): void;
}
