import type { TestCase } from './test-case.ts';

/**
 * The test of a file that a result's name stands for. A name may be longer than the file shows: with the rows of a table,
 * with subtests, or with suites that are named elsewhere.
 */
export function findCase(name: string, cases: readonly TestCase[]): TestCase | undefined {
  const plain = withoutRow(name);
  return (
    cases.find((one) => one.name === name) ??
    cases.find((one) => one.name === plain) ??
    cases.find((one) => fitsTemplate(plain, one.name)) ??
    longest(cases.filter((one) => plain.startsWith(`${one.name} > `) || plain.endsWith(` > ${one.name}`))) ??
    longest(cases.filter((one) => fitsTemplate(lastPart(plain), lastPart(one.name))))
  );
}

/** pytest writes the row of a table behind the name. */
function withoutRow(name: string): string {
  return name.endsWith(']') ? name.slice(0, name.lastIndexOf('[')) || name : name;
}

function longest(cases: readonly TestCase[]): TestCase | undefined {
  return cases.reduce<TestCase | undefined>(
    (best, one) => (best === undefined || one.name.length > best.name.length ? one : best),
    undefined,
  );
}

/** Whether a name can come of a title with `%s`, `$value` or `${value}` in it. */
function fitsTemplate(name: string, title: string): boolean {
  const parts = title.split(/%(?:\.\d+)?[sdifjopc#$%]|\$\{[^}]*\}|\$[\w.]+|\$#/);
  if (parts.length === 1) return name === title;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return (parts.at(-1) ?? '') === '' || name.endsWith(parts.at(-1) ?? '');
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(' > ') + 1).replace(/^> /, '');
}
