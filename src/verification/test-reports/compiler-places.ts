import type { SourcePlace } from '../../domain/entities/test-report.ts';

const MOST_PLACES = 1000;
const LONGEST_FILE = 500;
const LONGEST_MESSAGE = 300;
/** No compiler prints longer lines before its message. */
const LONGEST_START = 600;

const GO = /^([^\s:]+\.go):(\d{1,7}):(\d{1,7}): /;
const CARGO = /^ +--> ([^\s:]+\.rs):(\d{1,7}):(\d{1,7})$/;

/** The places that a compiler rejects, each once, within a limit: the sources come from candidates. */
export class CompilerPlaces {
  readonly #found = new Map<string, SourcePlace>();
  #last = '';

  get found(): readonly SourcePlace[] {
    return [...this.#found.values()];
  }

  /** Further lines of the last message. */
  continue(text: string): void {
    const place = this.#found.get(this.#last);
    if (place === undefined) return;
    this.#found.set(this.#last, { ...place, message: `${place.message} ${text}`.slice(0, LONGEST_MESSAGE) });
  }

  add(place: SourcePlace): void {
    const key = `${place.file}:${place.line}:${place.column}`;
    const isNew = this.#found.size < MOST_PLACES && !this.#found.has(key);
    this.#last = isNew ? key : '';
    if (isNew) this.#found.set(key, place);
  }
}

/** `./add_test.go:9:12: not enough arguments in call to Add` */
export function goPlace(line: string): SourcePlace | undefined {
  const match = GO.exec(line.slice(0, LONGEST_START));
  return match === null ? undefined : asPlace(match, line.slice(match[0].length));
}

/** `  --> tests/add.rs:9:12`, below the line with the message. */
export function cargoPlace(line: string, message: string): SourcePlace | undefined {
  const match = line.length > LONGEST_START ? null : CARGO.exec(line);
  return match === null ? undefined : asPlace(match, message);
}

function asPlace([, file = '', line, column]: RegExpExecArray, message: string): SourcePlace | undefined {
  if (file.length > LONGEST_FILE) return undefined;
  return { file, line: Number(line), column: Number(column), message: message.slice(0, LONGEST_MESSAGE) };
}
