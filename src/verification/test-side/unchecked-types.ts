import { readFileScopes } from '../test-files/file-scopes.ts';
import { lastName } from '../test-files/match-tests.ts';

const TYPESCRIPT = /\.[cm]?tsx?$/;
/** These check nothing else. */
const TYPE_TEST = /[._-](?:test-d|tst)\.[cm]?tsx?$/;
/** As ts-jest, ts-node and tsc report it: `test/a.test.ts:4:29 - error TS2554` or `test/a.test.ts(4,29): error TS2554`. */
const ERROR = /([\w./@+-]{1,500}\.[cm]?tsx?)[:(](\d{1,7})[:,]\d{1,7}\)?(?: -|:) error TS\d{4}/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: compilers colour their messages
const STYLE = /\u001b\[[\d;]*m/g;

export interface WrongType {
  file: string;
  line: number;
}

/** The places in TypeScript files that a run did not compile. */
export function findWrongTypes(output: string): WrongType[] {
  return [...output.replace(STYLE, '').matchAll(ERROR)].map(([, file = '', line]) => ({
    file: file.replace(/^\.\//, ''),
    line: Number(line),
  }));
}

interface Unchecked {
  text: string;
  /** Names of the tests, and of declarations around them, in which the types are wrong. */
  tests: readonly string[];
  declarations: readonly string[];
}

/** A test file whose types no longer keep it from running, such as those of the arguments of one call. */
export function withoutTypeCheck(path: string, text: string, wrong: readonly WrongType[]): Unchecked {
  const isOwn = ({ file }: WrongType) => `/${file}`.endsWith(`/${path}`) || `/${path}`.endsWith(`/${file}`);
  const lines = wrong.filter(isOwn).map(({ line }) => line);
  const isChecked = lines.length === 0 || !TYPESCRIPT.test(path) || TYPE_TEST.test(path);
  if (isChecked) return { text, tests: [], declarations: [] };
  const { cases = [], scopes = [] } = readFileScopes(path, text) ?? {};
  const names = cases.map(({ test }) => lastName(test.name));
  const tests: string[] = [];
  const declarations: string[] = [];
  for (const line of lines) {
    const isIn = ([first, last]: readonly [number, number]) => first <= line && line <= last;
    const own = cases.findIndex(({ test }) => isIn(test.lines));
    const declared = scopes.filter((one) => isIn(one.lines)).flatMap(({ declares }) => declares);
    if (own !== -1) tests.push(names[own] ?? '');
    else if (declared.length > 0) declarations.push(...declared);
    else tests.push(...names);
  }
  return { text: `// @ts-nocheck\n${text}`, tests, declarations };
}
