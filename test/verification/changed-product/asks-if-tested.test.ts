import { describe, expect, it } from 'vitest';
import { answersIn, questionsIn } from '../../../src/verification/changed-product/asks-if-tested.ts';

const linesOf = (path: string, text: string) => [
  ...new Set(questionsIn(path, text).flatMap(({ lines }) => lines)),
];
const asks = (path: string, line: string) => linesOf(path, `\n${line}\n`);

describe('code that asks whether it is being tested', () => {
  it.each([
    "const right = process.env.NODE_ENV === 'test' ? 5 : 6;",
    'if ("test" == process.env["NODE_ENV"]) return 5;',
    "if ((process.env.NODE_ENV ?? '') !== 'test') return 6;",
    "const { NODE_ENV } = process.env; if (NODE_ENV === 'test') return 5;",
    "if (['test', 'ci'].includes(process.env.NODE_ENV)) return 5;",
    "switch (process.env.NODE_ENV) { case 'production': return 6; case 'test': return 5; }",
    'return process.env.VITEST ? 5 : 6;',
    "return 'JEST_WORKER_ID' in process.env ? 5 : 6;",
    'const { NODE_TEST_CONTEXT: tested } = process.env;',
    "if (typeof describe === 'function') return 5;",
    'if (globalThis.vi) return 5;',
    "if (globalThis['jest'] !== undefined) return 5;",
    "if (process.argv.some((one) => one.includes('vitest'))) return 5;",
    'if (/node_modules.mocha/.test(new Error().stack)) return 5;',
    "if (process.env.npm_lifecycle_event === 'test') return 5;",
    "if (process.env.NODE_ENV?.startsWith('test')) return 5;",
    "if (import.meta.env.MODE === 'test') return 5;",
    "if (import.meta.env?.['MODE'] !== 'test') return 6;",
    "if (typeof expect !== 'undefined' || typeof beforeEach === 'function') return 5;",
    "if ('jest' in globalThis) return 5;",
    "const env = process.env.NODE_ENV || 'development'; if (env === 'test') return 5;",
    "const env: string = process.env['NODE_ENV'] ?? ''; switch (env) { case 'test': return 5; }",
    'const { npm_lifecycle_event: event } = process.env; return event === "test" ? 5 : 6;',
    "const { BASE, MODE } = import.meta.env; if ('test' !== MODE) return 6;",
    'return import.meta.vitest ? 5 : 6;',
    'if (/\\.test\\.js$/.test(process.argv[1])) return 5;',
    "if (new Error().stack.includes('.test.js')) return 5;",
    'if (/[/\\\\]test[/\\\\]/.test(new Error().stack)) return 5;',
    "if (Object.keys(process.env).some((one) => one.startsWith('NODE_TEST'))) return 5;",
    "if (process.env.npm_lifecycle_event?.startsWith('test')) return 5;",
    'if (/--test/.test(process.env.npm_lifecycle_script)) return 5;',
    "if (Object.keys(require.cache).some((one) => one.includes('mocha'))) return 5;",
    'if (globalThis.expect) return 5;',
    'const factor = { test: 1, production: 0 }[process.env.NODE_ENV];',
    "const env = process.env.NODE_ENV ?? ''; const factor = { development: 0, 'test': 1 }[env];",
    "const settings = { env: process.env.NODE_ENV }; if (settings.env === 'test') return 5;",
    'if (Object.keys(process.env).some((name) => /^NODE_TEST/.test(name))) return 5;',
    "if (require.main.filename.includes('node_modules')) return 5;",
    "if (!module.parent?.filename.endsWith('index.js')) return 5;",
    "if ('mock' in gateway.charge) return 5;",
    'if (gateway.charge._isMockFunction) return 5;',
  ])('is found in JavaScript: %s', (line) => {
    expect(asks('src/add.ts', line)).toEqual([2]);
  });

  it.each([
    "if (process.env.NODE_ENV !== 'production') warn();",
    "spawn('node', { env: { NODE_ENV: 'test' } });",
    "process.env.NODE_ENV = 'test';",
    "process.env.NODE_ENV ||= 'test';",
    '// Set VITEST to run this: process.env.VITEST',
    '/* if (typeof describe) */ run();',
    "const message = 'Use vitest';",
    "const name = process.argv[2] === 'test';",
    'globalThis.describe = describe;',
    "const mode = env === 'test' ? 1 : 2;",
    'const stack = []; stack.push(1);',
    'suite.describe(it);',
    "if ('it' in words) return 5;",
    "if (import.meta.env.MODE === 'production') return 6;",
    'if (import.meta.vitest) { const { it } = import.meta.vitest; }',
    'self.describe(key, text);',
    "const env = process.env.NODE_ENV || 'development'; if (env === 'production') return 6;",
    "const env = process.env.APP_ENV; if (env === 'test') return 5;",
    "const mode = 'test'; if (mode === 'test') return 5;",
    "const name = file.replace(/\\.test\\.js$/, '');",
    "if (words.startsWith('TEST')) return 5;",
    "const level = { production: 'error', development: 'debug' }[process.env.NODE_ENV] ?? 'info';",
    "const level = { production: 'error', test: 'none' }[settings.env];",
    'if (require.main === module) main();',
    'const root = path.dirname(require.main.filename);',
    'if (!module.parent) main();',
  ])('is not found in JavaScript: %s', (line) => {
    expect(asks('src/add.ts', line)).toEqual([]);
  });

  it.each([
    'if os.environ.get("PYTEST_CURRENT_TEST"):',
    "if 'pytest' in sys.modules:",
    "tested = sys.modules.get('unittest') is not None",
    'if hasattr(sys, "_called_from_test"):',
    'if sys._called_from_test:',
    'TESTING = os.environ.get("TESTING") == "1"',
    "if any(name.startswith('PYTEST') for name in os.environ):",
    'if any(one.function.startswith("test_") for one in inspect.stack()):',
    "if any('pytest' in arg for arg in sys.argv):",
    "if sys.argv[0].endswith('/pytest'):",
    "tested = 'test' in sys.argv",
    "if any('_pytest' in f.filename for f in inspect.stack()):",
    "if sys.argv[1] == 'test':",
    "if sys.argv[1:2] == ['test']:",
    "if sys.argv[-1] == 'discover':",
    'try: import pytest',
    "if importlib.util.find_spec('pytest'):",
    "if type(gateway).__module__.startswith('tests'):",
    "if 'test' in type(gateway).__module__:",
    "if hasattr(gateway.charge, 'assert_called_once_with'):",
    'if isinstance(gateway, (Fake, unittest.mock.Mock)):',
  ])('is found in Python: %s', (line) => {
    expect(asks('calc/add.py', line)).toEqual([2]);
  });

  it.each([
    '# see PYTEST_CURRENT_TEST',
    'import unittest',
    "if sys.argv[1] == 'build': build()\nelif sys.argv[1] == 'test': check()",
    "if __name__ == '__main__' and sys.argv[1] == 'test': check()",
    'import pytest',
    'if type(value).__module__ == "builtins":',
    "if hasattr(value, 'assert_total'):",
    'if name in sys.modules:\n    pass',
    "EXTRAS = ['pytest']",
  ])('is not found in Python: %s', (line) => {
    expect(asks('calc/add.py', line)).toEqual([]);
  });

  it.each([
    'if testing.Testing() {',
    'if flag.Lookup("test.v") != nil {',
    'if strings.HasSuffix(os.Args[0], ".test") {',
    'if strings.HasPrefix(arg, "-test.") {',
    'if path, _ := os.Executable(); strings.HasSuffix(path, ".test") {',
    'if strings.HasSuffix(filepath.Base(path), ".test.exe") {',
    'if strings.Contains(os.Args[0], "go-build") {',
    'name, _ := os.Executable(); if strings.Contains(name, "go-build") {',
  ])('is found in Go: %s', (line) => {
    expect(asks('calc/add.go', line)).toEqual([2]);
  });

  it.each(['// testing.Testing() tells', 'name := os.Args[0]', 'Lookup("tests")', 'testing.Short()'])(
    'is not found in Go: %s',
    (line) => {
      expect(asks('calc/add.go', line)).toEqual([]);
    },
  );

  it.each([
    'if cfg!(test) { return 5; }',
    'let right = if cfg!(any(test, debug_assertions)) { 5 } else { 6 };',
    '#[cfg(not(test))]',
    '#[cfg(all(unix, not(test)))]',
    '#[cfg(test)] return 5;',
    'if std::env::current_exe().unwrap().ends_with("deps") { return 5; }',
  ])('is found in Rust: %s', (line) => {
    expect(asks('src/lib.rs', line)).toEqual([2]);
  });

  it.each([
    '#[cfg(test)]',
    '#![cfg_attr(not(test), no_std)]',
    '#[cfg(not(windows))] fn test() {}',
    '#[cfg(test)] mod tests {}',
    '#[cfg(test)] pub fn helper() {}',
    '#[cfg(not(feature = "test"))]',
    'let unix = cfg!(unix); test(unix);',
  ])('is not found in Rust: %s', (line) => {
    expect(asks('src/lib.rs', line)).toEqual([]);
  });

  it('is found on each of its lines', () => {
    expect(linesOf('a.js', "run(\n  process.env.NODE_ENV ===\n    'test',\n);\n")).toEqual([2, 3]);
  });

  it('is found if another module holds the answer', () => {
    const line = "if (settings.environment === 'test') return 5;";
    expect(questionsIn('a.js', line, ['environment'])).toHaveLength(1);
    expect(questionsIn('a.js', line, ['mode'])).toEqual([]);
    expect(answersIn('b.js', 'exports.environment = process.env.NODE_ENV;')).toEqual(['environment']);
    expect(answersIn('b.js', 'const { NODE_ENV } = process.env;')).toEqual([]);
  });

  it('is not looked for in other languages', () => {
    expect(asks('README.md', 'process.env.VITEST')).toEqual([]);
  });

  it('takes little time for a hostile text', () => {
    const text = `${'switch ( NODE_ENV ) { '.repeat(50_000)}${'"test" = = '.repeat(50_000)}${'a'.repeat(500_000)}`;
    expect(linesOf('a.js', text)).toEqual([]);
  });
});
