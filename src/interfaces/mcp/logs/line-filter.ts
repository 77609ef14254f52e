export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LineWish {
  /** All of them. */
  contains: readonly string[];
  /** None of them. */
  without: readonly string[];
  ignoreCase: boolean;
  /** Lines of this level and of worse ones. */
  level: LogLevel | undefined;
}

/** Whether a line is wanted. By plain comparison: somebody else's pattern could keep this busy for ever. */
export function lineFilter({ contains, without, ignoreCase, level }: LineWish): (line: string) => boolean {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const wanted = contains.map(fold);
  const unwanted = without.map(fold);
  const worst = level === undefined ? undefined : LOG_LEVELS.indexOf(level);
  return (line) => {
    const text = fold(line);
    if (!wanted.every((one) => text.includes(one)) || unwanted.some((one) => text.includes(one)))
      return false;
    if (worst === undefined) return true;
    const found = levelOf(line);
    return found !== undefined && LOG_LEVELS.indexOf(found) <= worst;
  };
}

const WORDS: ReadonlyMap<string, LogLevel> = new Map([
  ['fatal', 'error'],
  ['critical', 'error'],
  ['crit', 'error'],
  ['severe', 'error'],
  ['panic', 'error'],
  ['error', 'error'],
  ['err', 'error'],
  ['warning', 'warn'],
  ['warn', 'warn'],
  ['notice', 'info'],
  ['info', 'info'],
  ['debug', 'debug'],
  ['trace', 'debug'],
  ['verbose', 'debug'],
]);

/** Levels stand at the beginning of a line. */
const HEAD_CHARACTERS = 200;

/** The level that a line names first. */
export function levelOf(line: string): LogLevel | undefined {
  for (const [word] of line.slice(0, HEAD_CHARACTERS).matchAll(/[A-Za-z]+/g)) {
    const level = WORDS.get(word.toLowerCase());
    if (level) return level;
  }
  return undefined;
}
