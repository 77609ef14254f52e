import { blockEnd, bodyLines, lexPython, type PythonLine } from './lex-python.ts';
import { assertingHelpers, isNothing, lineAssertions, reachedAssertions } from './python-assertions.ts';
import { classMarker, combineMarkers, fileMarker, type PythonMarker, readMarker } from './python-markers.ts';
import { bodyDigest, sketchBody } from './read-body.ts';
import type { TestCase, TestFileFacts } from './test-case.ts';
import { isMark, isName } from './token.ts';

interface Scope extends PythonMarker {
  indent: number;
  name: string;
}

const MAX_DEPTH = 20;

/** Reads the tests of a Python file as pytest and unittest collect them. */
export function readPythonTests(text: string): TestFileFacts {
  const { lines, uncertain } = lexPython(text);
  const cases: TestCase[] = [];
  const helpers = assertingHelpers(lines);
  const scopes: Scope[] = [];
  const file = fileMarker(lines);
  const removed = removedNames(lines);
  let decorators: PythonLine[] = [];
  let unsure = uncertain;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as PythonLine;
    while (scopes.length > 0 && line.indent <= (scopes.at(-1)?.indent ?? 0)) scopes.pop();
    if (isMark(line.tokens[0], '@')) {
      decorators.push(line);
      continue;
    }
    const start = isName(line.tokens[0], 'async') ? 1 : 0;
    const keyword = line.tokens[start];
    const name = line.tokens[start + 1]?.text ?? '';
    const firstLine = (decorators[0] ?? line).tokens[0]?.line ?? 1;
    const markers = combineMarkers([...decorators.map(readMarker), scopes.at(-1) ?? file]);
    decorators = [];
    if (isName(keyword, 'class')) {
      const inner = classMarker(lines, at);
      const path = [scopes.at(-1)?.name, name].filter((one) => one !== undefined).join(' > ');
      if (scopes.length < MAX_DEPTH)
        scopes.push({ ...combineMarkers([markers, inner]), indent: line.indent, name: path });
      else unsure = true;
    } else if (isName(keyword, 'def')) {
      const end = blockEnd(lines, at);
      if (/^test/.test(name)) {
        const path = [scopes.at(-1)?.name, name].filter((one) => one !== undefined).join(' > ');
        const gone = scopes.length === 0 && removed.has(name) ? 'the file removes it again' : '';
        const one = readCase(
          bodyLines(lines, at, end),
          path,
          { ...markers, skipped: markers.skipped || gone },
          helpers,
        );
        cases.push({ ...one, lines: [firstLine, lines[end - 1]?.tokens.at(-1)?.line ?? firstLine] });
      }
      // Definitions inside a function are not collected.
      at = end - 1;
    }
  }
  return { cases, uncertain: unsure, only: 0 };
}

function readCase(
  body: PythonLine[],
  name: string,
  marker: PythonMarker,
  helpers: ReadonlySet<string>,
): TestCase {
  const statements = body.filter(
    (line, at) => !(at === 0 && line.tokens.every((token) => token.type === 'string')),
  );
  const texts = statements.flatMap((line) => [
    `>${line.indent - (statements[0]?.indent ?? 0)}`,
    ...line.tokens.map((token) => (token.type === 'string' ? `"${token.text}` : token.text)),
  ]);
  const all = statements.filter((line) => lineAssertions(line, helpers) > 0).length;
  const assertions = reachedAssertions(statements, helpers);
  const shared = {
    name,
    assertions,
    bodyDigest: bodyDigest(texts),
    sketch: sketchBody(texts),
    rows: marker.rows,
    conditional: marker.conditional,
    lines: [1, 1] as const,
  };
  const why = marker.skipped || skipsItself(statements[0]);
  if (why !== '') return { ...shared, kind: 'skipped', why };
  if (statements.every((line) => isNothing(line.tokens)))
    return { ...shared, kind: 'empty', why: 'its body is empty' };
  if (assertions === 0 && all > 0)
    return { ...shared, kind: 'empty', why: 'it ends or swallows failures before anything can fail' };
  return { ...shared, kind: 'active', why: '' };
}

function skipsItself(line: PythonLine | undefined): string {
  const words =
    line?.tokens
      .slice(0, 4)
      .map((token) => token.text)
      .join('') ?? '';
  return /^(?:pytest\.(?:skip|xfail)\(|self\.skipTest|raise(?:unittest\.)?SkipTest|raiseunittest\.|raisepytest\.skip|skip\()/.test(
    words,
  )
    ? 'it skips itself'
    : '';
}

/** Tests that are deleted or reassigned after their definition. */
function removedNames(lines: PythonLine[]): Set<string> {
  const names = new Set<string>();
  for (const { indent, tokens } of lines) {
    if (indent > 0) continue;
    if (isName(tokens[0], 'del')) for (const token of tokens.slice(1)) names.add(token.text);
    else if (/^test/.test(tokens[0]?.text ?? '') && isMark(tokens[1], '=')) names.add(tokens[0]?.text ?? '');
  }
  return names;
}
