/** Who has to act: `refused` is an answer of no, `input` is wrong use, `outside` is a failing disk, server or program. */
export type ErrorKind = 'refused' | 'input' | 'outside';

const EXIT_CODES = { refused: 1, input: 2, outside: 3 } as const satisfies Record<ErrorKind, number>;

export interface ErrorDetails {
  code: string;
  kind: ErrorKind;
  /** What happened and what was found. */
  message: string;
  /** What to do about it. */
  hint: string;
  /** The single faults behind it, for programs. */
  faults?: readonly object[];
  cause?: unknown;
}

/** The one error class: everything a person may have to act on. Anything else that is thrown is a bug. */
export class GuardKitError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly hint: string;
  readonly faults: readonly object[] | undefined;

  constructor({ code, kind, message, hint, faults, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'GuardKitError';
    this.code = code;
    this.kind = kind;
    this.hint = hint;
    this.faults = faults;
  }

  get exitCode(): number {
    return EXIT_CODES[this.kind];
  }
}
