import { wholeNumber } from '../input/whole-number.ts';

const TURNS = 5;
const SECONDS = 3600;
const PROMPT_TOKENS = 40_000;

/** The schemas of the options below. */
export const maxTurns = wholeNumber(200, TURNS);
export const timeout = wholeNumber(86_400, SECONDS);
export const promptTokens = wholeNumber(1_000_000, PROMPT_TOKENS);

type Option = readonly [flags: string, summary: string];

export const MAX_TURNS_OPTION: Option = ['--max-turns <n>', `Turns per task (default: ${TURNS})`];
/** Of one agent run. */
export const RUN_LIMIT_OPTIONS: readonly Option[] = [
  ['--timeout <seconds>', `Time limit per agent run (default: ${SECONDS})`],
  ['--prompt-tokens <n>', `Prompt budget in tokens (default: ${PROMPT_TOKENS})`],
];
