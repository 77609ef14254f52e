import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { executableLines } from '../../../src/verification/coverage/executable-lines.ts';

/** The lines of a source marked with `←` must be exactly those found. */
function check(path: string, source: string): void {
  const lines = source.split('\n');
  const marked = lines.flatMap((line, index) => (line.endsWith('←') ? [index + 1] : []));
  const found = executableLines(path, lines.map((line) => line.replace(/\s*←$/, '')).join('\n'));
  expect([...found]).toEqual(marked);
}

describe('TypeScript', () => {
  it('a file of types has none', () => {
    check(
      'src/types.ts',
      `import type { A } from './a.ts';
import {
  type B,
  c,
} from "./b.ts"
export type { D } from './d.ts';
export * from './e.ts';
export {
  f,
};

/** A thing. */
export interface Thing<T = string> extends A {
  name: string;
  run(value: { deep: T }): void;
}

type Union =
  | 'a' // first
  | "b"
  | \`c\${string}\`;

export type Mapped<T> = {
  [Key in keyof T]: T[Key];
} & { more: 1 }

type Conditional<T> = T extends string
  ? 'yes'
  : 'no'

declare module 'x' {
  export function y(): void;
}
declare const z: number;`,
    );
  });

  it('code counts, but blank lines, comments and lone brackets do not', () => {
    check(
      'a.ts',
      `/*
 * launch();
 */
export const a = 1; ←

export function b(x: string) { ←
  // nothing
  type Local = string; ←
  return { ←
    x, ←
  };
}
export default class C { ←
  d = () => { ←
    b('{'); ←
  };
}
enum E { ←
  One, ←
}
`,
    );
  });

  it('code that stands beside or after a declaration counts', () => {
    check(
      'a.ts',
      `interface A {} launch() ←
type B = string; launch() ←
import 'x'; launch(); ←
type C = string
launch() ←
import('./late.ts') ←
type = compute() ←
declare module 'y' {} launch() ←
export type D = { a: 1 }
(launch()) ←
const regular = /[/*]/; ←
launch(); /* not all of ←
it is seen */ launch() ←
const text = \` ←
// launch() ←
\${launch()}\` ←
interface E {
} launch() ←`,
    );
  });
});

it('in go, only functions and variables with functions count', () => {
  check(
    'types.go',
    `// Package a is one.
package a

import (
	"errors"
)

type Kind interface {
	Name() string
}

type Point struct{ X, Y int }

const (
	One = iota
	Two
)

var ErrNone = errors.New("none")

var hook = func() { ←
	launch() ←
}

var ( ←
	late = launch() ←
)

func (p Point) Sum() int { ←
	const three = 3 ←
	return p.X + p.Y ←
}`,
  );
});

it('in python, comments and blank lines do not count', () => {
  check('a.py', '# a comment\n\nimport os ←\n\ndef a(): ←\n    # nothing\n    return "#" ←');
});

it('in python, a docstring does not count', () => {
  check(
    'a.py',
    '"""What it is."""\n\nclass A: ←\n    """One\n    of several lines.\n    """\n    text = """x ←\n    y""" ←',
  );
});

it('in other languages, only comments, blank lines and brackets are left out', () => {
  check('a.rs', `// a comment\nuse std::io; ←\n\nfn a<'x>(b: &'x str) { ←\n    launch(); ←\n}`);
});

it('no source makes it throw or return a line outside the file', () => {
  const piece = fc.constantFrom(
    'type A = ',
    'interface B {',
    '}',
    ';',
    '\n',
    '`',
    '"',
    "'",
    '/*',
    '*/',
    '//',
    'x()',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom('a.ts', 'a.go', 'a.py', 'a', 'a.java'), (parts, path) => {
      const source = parts.join('');
      for (const line of executableLines(path, source)) {
        expect(source.split('\n')[line - 1]?.trim()).toBeTruthy();
      }
    }),
  );
});
