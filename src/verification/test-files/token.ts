export interface Token {
  type: 'name' | 'string' | 'number' | 'mark';
  /** For a string: the text between its quotes. */
  text: string;
  line: number;
}

export interface TokenList {
  tokens: Token[];
  /** For each opening bracket the index of its closing one and vice versa; -1 elsewhere. */
  partner: Int32Array;
  /** Something was left open, or the text was too long. */
  uncertain: boolean;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Pairs the brackets; unpaired ones are skipped. */
export function pairBrackets(tokens: Token[], uncertain: boolean): TokenList {
  const partner = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  let unsure = uncertain;
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'mark') continue;
    if (token.text === '(' || token.text === '[' || token.text === '{') open.push(at);
    else if (token.text === ')' || token.text === ']' || token.text === '}') {
      const start = open.at(-1);
      if (start !== undefined && CLOSING[tokens[start]?.text ?? ''] === token.text) {
        open.pop();
        partner[start] = at;
        partner[at] = start;
      } else unsure = true;
    }
  }
  return { tokens, partner, uncertain: unsure || open.length > 0 };
}

export function isMark(token: Token | undefined, text: string): boolean {
  return token?.type === 'mark' && token.text === text;
}

export function isName(token: Token | undefined, text: string): boolean {
  return token?.type === 'name' && token.text === text;
}
