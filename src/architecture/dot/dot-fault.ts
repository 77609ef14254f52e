/** Why a text is not a graph that can be read. */
export class DotFault extends Error {
  readonly offset: number;
  readonly code: string;

  constructor(code: string, message: string, offset: number) {
    super(message);
    this.name = 'DotFault';
    this.code = code;
    this.offset = offset;
  }
}
