/** Made-up credentials are put together here, so that secret scanners do not stop at this file. */
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const DIGITS = '0123456789';
export const BASE36 = LOWER + DIGITS;
export const BASE62 = BASE36 + LOWER.toUpperCase();
export const BASE64URL = `${BASE62}_-`;
export const BASE64 = `${BASE62}+/`;
export const UPPER36 = BASE36.toUpperCase();
export const HEX = `${DIGITS}abcdef`;

export type Maker = (length: number, alphabet?: string) => string;

export function maker(seed: number): Maker {
  let state = seed * 2654435761 + 1;
  return (length, alphabet = BASE62) => {
    let text = '';
    while (text.length < length) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      text += alphabet[(state >>> 8) % alphabet.length];
    }
    return text;
  };
}

export const SEEDS = Array.from({ length: 40 }, (_, index) => index);
export const uuid = (r: Maker) => [8, 4, 4, 4, 12].map((length) => r(length, HEX)).join('-');
export const pem = (r: Maker, kind: string, newline = '\n') =>
  [
    `-----BEGIN ${kind}-----`,
    ...Array.from({ length: 5 }, () => r(64, BASE64)),
    `${r(20, BASE64)}==`,
    `-----END ${kind}-----`,
  ].join(newline);
