import { IN_CONTEXT } from './context-samples.ts';
import { maker } from './secret-maker.ts';
import { TOKENS } from './token-samples.ts';

export interface Sample {
  text: string;
  secret: string;
  scrubbed: string;
}

export function tokenSample(name: string, seed: number, before = '', after = ''): Sample {
  const [kind = '', make = () => ''] = TOKENS[name] ?? [];
  const secret = make(maker(seed));
  return { text: before + secret + after, secret, scrubbed: `${before}[scrubbed:${kind}]${after}` };
}

export function contextSample(name: string, seed: number): Sample {
  const [kind = '', make] = IN_CONTEXT[name] ?? [];
  const [before = '', secret = '', after = ''] = make?.(maker(seed)) ?? [];
  return { text: before + secret + after, secret, scrubbed: `${before}[scrubbed:${kind}]${after}` };
}

export const TOKEN_NAMES = Object.keys(TOKENS);
export const CONTEXT_NAMES = Object.keys(IN_CONTEXT);
export const samples = (seed: number): Sample[] => [
  ...TOKEN_NAMES.map((name) => tokenSample(name, seed)),
  ...CONTEXT_NAMES.map((name) => contextSample(name, seed)),
];
