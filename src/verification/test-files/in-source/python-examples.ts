import type { TestResult } from '../../../domain/entities/test-report.ts';

/** In a result's name: the test is an example of the other version. */
const MARK = 'other version: ';

/**
 * Adds the examples of another version to `__test__`, where doctest looks too: the code stays as it is. An example without
 * expected output shows nothing.
 */
const ADD_EXAMPLES = `

def __add_examples(source):
    import ast
    import builtins
    import doctest

    # The module may have functions with the names of built-in ones, and anything as __test__.
    names = builtins.globals()
    examples = builtins.dict(names.get("__test__") or {})
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

    def look(node, path):
        text = ast.get_docstring(node, clean=False) or ""
        if [one for one in doctest.DocTestParser().get_examples(text) if one.want]:
            examples["${MARK}" + ".".join(path)] = text
        if builtins.isinstance(node, (ast.Module, ast.ClassDef)):
            for one in node.body:
                if builtins.isinstance(one, functions):
                    look(one, path + [one.name])

    try:
        look(ast.parse(source), [])
    except builtins.Exception:
        pass
    # pytest collects nothing from a module whose __test__ is empty.
    if examples:
        names["__test__"] = examples


`;

/**
 * One version's code that doctest runs with the other version's examples. Undefined if the other version has none or the same
 * ones.
 */
export function withPythonExamples(code: string, tests: string): string | undefined {
  const examples = examplesIn(tests);
  if (examples === '' || examples === examplesIn(code)) return undefined;
  return `${code}${ADD_EXAMPLES}__add_examples(${JSON.stringify(tests)})\ndel __add_examples\n`;
}

/** The lines from each prompt to the next empty line or the end of the text. */
export function examplesIn(text: string): string {
  if (!text.includes('>>>')) return '';
  const found: string[] = [];
  let isExample = false;
  for (const line of text.split('\n')) {
    const row = line.trim();
    isExample = row.startsWith('>>> ') || (isExample && row !== '' && !/^(?:"""|''')/.test(row));
    if (isExample) found.push(row);
  }
  return found.join('\n');
}

/**
 * The results of the base with the change's tests, where the examples of the change replace the base's own, under their usual
 * names. Not for other runs: the change could name a test so that it replaces the result of another one.
 */
export function namedExamples(results: readonly TestResult[]): readonly TestResult[] {
  const marked = `.__test__.${MARK}`;
  const others = results.flatMap((one) => {
    const at = one.name.indexOf(marked);
    if (at === -1) return [];
    const name = [one.name.slice(0, at), one.name.slice(at + marked.length)].filter((part) => part !== '');
    return [{ ...one, name: name.join('.') }];
  });
  if (others.length === 0) return results;
  const replaced = new Set(others.map(({ file, name }) => `${file}\0${name}`));
  const own = results.filter(({ file, name }) => !name.includes(marked) && !replaced.has(`${file}\0${name}`));
  return [...own, ...others];
}
