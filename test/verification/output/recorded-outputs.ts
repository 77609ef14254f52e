/** Shortened output of failing commands, with the lines that a reader needs. */
export const RECORDED_OUTPUTS: readonly {
  of: string;
  output: string;
  needed: string[];
  unwanted: string[];
}[] = [
  {
    of: 'vitest through npm',
    output: `
> shop@1.0.0 test
> vitest run

 RUN  v3.2.4 /room

 ❯ test/cart.test.ts (2 tests | 1 failed) 12ms
   ✓ cart > is empty 2ms
   × cart > adds up 6ms
     → expected 4 to be 3 // Object.is equality

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/cart.test.ts > cart > adds up
AssertionError: expected 4 to be 3 // Object.is equality

- Expected
+ Received

- 3
+ 4

 ❯ test/cart.test.ts:7:28

 Test Files  1 failed (1)
      Tests  1 failed | 1 passed (2)
   Duration  310ms (transform 22ms)

npm error Lifecycle script \`test\` failed with error:
npm error code 1
npm error path /room
npm error workspace shop@1.0.0
npm error location /room
npm error command failed
npm error command sh -c vitest run
`,
    needed: [' FAIL  test/cart.test.ts > cart > adds up', 'AssertionError: expected 4 to be 3'],
    unwanted: ['Lifecycle script', 'command failed', 'Duration'],
  },
  {
    of: 'jest through pnpm',
    output: `
> shop@1.0.0 test /room
> jest

FAIL test/cart.test.js
  cart
    ✓ is empty (2 ms)
    ✕ adds up (3 ms)

  ● cart › adds up

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: 4

      at Object.toBe (test/cart.test.js:5:18)
      at Promise.then.completed (node_modules/jest-circus/build/utils.js:298:28)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 passed, 2 total
Snapshots:   0 total
Time:        0.41 s
Ran all test suites.
 ELIFECYCLE  Test failed. See above for more details.
`,
    needed: ['  ● cart › adds up', '    Expected: 3', '    Received: 4'],
    unwanted: ['ELIFECYCLE', 'Ran all', 'jest-circus'],
  },
  {
    of: 'mocha through yarn',
    output: `yarn run v1.22.22
$ mocha

  cart
    ✔ is empty
    1) adds up

  1 passing (4ms)
  1 failing

  1) cart
       adds up:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

4 !== 3

      + expected - actual

      -4
      +3

      at Context.<anonymous> (test/cart.test.js:6:12)
      at process.processImmediate (node:internal/timers:485:21)

error Command failed with exit code 1.
info Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.
`,
    needed: ['    1) adds up', '      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:'],
    unwanted: ['Command failed', 'yarnpkg.com', 'node:internal'],
  },
  {
    of: 'tsc before the tests',
    output: `
> shop@1.0.0 pretest
> tsc -p .

src/cart.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.
npm error code 2
npm error path /room
npm error command failed
npm error command sh -c tsc -p .
npm error A complete log of this run can be found in: /home/x/.npm/_logs/1-debug-0.log
`,
    needed: ["src/cart.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'."],
    unwanted: ['complete log', 'command failed'],
  },
  {
    of: 'pytest',
    output: `============================= test session starts ==============================
platform linux -- Python 3.11.2, pytest-7.2.1
collected 2 items

test_cart.py .F                                                          [100%]

=================================== FAILURES ===================================
_________________________________ test_adds_up _________________________________

    def test_adds_up():
>       assert total([1, 2]) == 3
E       assert 4 == 3
E        +  where 4 = total([1, 2])

test_cart.py:8: AssertionError
=========================== short test summary info ============================
FAILED test_cart.py::test_adds_up - assert 4 == 3
========================= 1 failed, 1 passed in 0.02s ==========================
`,
    needed: ['E       assert 4 == 3', 'FAILED test_cart.py::test_adds_up - assert 4 == 3'],
    unwanted: ['test session starts', 'short test summary'],
  },
  {
    of: 'pytest that cannot import',
    output: `==================================== ERRORS ====================================
________________________ ERROR collecting test_cart.py _________________________
ImportError while importing test module '/room/test_cart.py'.
Traceback:
test_cart.py:1: in <module>
    from cart import total
E   ModuleNotFoundError: No module named 'cart'
=========================== short test summary info ============================
ERROR test_cart.py
`,
    needed: ["E   ModuleNotFoundError: No module named 'cart'", 'ERROR test_cart.py'],
    unwanted: [],
  },
  {
    of: 'go test',
    output: `--- FAIL: TestAddsUp (0.00s)
    cart_test.go:9: got 4, want 3
FAIL
FAIL	example.com/shop/cart	0.003s
ok  	example.com/shop/pay	0.002s
FAIL
`,
    needed: ['--- FAIL: TestAddsUp (0.00s)', '    cart_test.go:9: got 4, want 3'],
    unwanted: ['0.003s'],
  },
  {
    of: 'go that does not build',
    output: `# example.com/shop/cart [example.com/shop/cart.test]
./cart.go:4:9: undefined: sum
FAIL	example.com/shop/cart [build failed]
?   	example.com/shop/flags	[no test files]
FAIL
`,
    needed: ['./cart.go:4:9: undefined: sum', 'FAIL  example.com/shop/cart [build failed]'],
    unwanted: ['no test files'],
  },
  {
    of: 'cargo test',
    output: `   Compiling shop v0.1.0 (/room)
    Finished test [unoptimized + debuginfo] target(s) in 0.41s
     Running unittests src/lib.rs

running 2 tests
test tests::is_empty ... ok
test tests::adds_up ... FAILED

failures:

---- tests::adds_up stdout ----
thread 'tests::adds_up' panicked at src/lib.rs:12:9:
assertion \`left == right\` failed
  left: 4
 right: 3
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

test result: FAILED. 1 passed; 1 failed; 0 ignored
error: test failed, to rerun pass \`--lib\`
`,
    needed: [
      'test tests::adds_up ... FAILED',
      "thread 'tests::adds_up' panicked at src/lib.rs:12:9:",
      '  left: 4',
    ],
    unwanted: ['RUST_BACKTRACE', 'to rerun'],
  },
  {
    of: 'cargo that does not build',
    output: `   Compiling shop v0.1.0 (/room)
error[E0425]: cannot find function \`sum\` in this scope
 --> src/lib.rs:3:5
  |
3 |     sum(items)
  |     ^^^ not found in this scope

error: could not compile \`shop\` (lib) due to 1 previous error
`,
    needed: ['error[E0425]: cannot find function `sum` in this scope', ' --> src/lib.rs:3:5'],
    unwanted: ['Compiling'],
  },
  {
    of: 'node --test',
    output: `✔ is empty (0.4ms)
✖ adds up (0.9ms)
ℹ tests 2
ℹ fail 1

✖ failing tests:

test at test/cart.test.js:5:1
✖ adds up (0.9ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  4 !== 3

      at TestContext.<anonymous> (file:///room/test/cart.test.js:5:30)
      at Test.runInAsyncScope (node:async_hooks:211:14) {
    expected: 3,
    actual: 4,
    operator: 'strictEqual'
  }
`,
    needed: ['✖ adds up (0.9ms)', '  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:'],
    unwanted: ['ℹ tests', 'runInAsyncScope'],
  },
  {
    of: 'a program that is missing',
    output: `
> shop@1.0.0 test
> vitest run

sh: 1: vitest: not found
npm error code 127
npm error path /room
npm error command failed
npm error command sh -c vitest run
`,
    needed: ['sh: 1: vitest: not found'],
    unwanted: ['command failed'],
  },
  {
    of: 'a package that cannot be installed',
    output: `npm error code ERESOLVE
npm error ERESOLVE unable to resolve dependency tree
npm error
npm error While resolving: shop@1.0.0
npm error Found: react@18.2.0
npm error A complete log of this run can be found in: /home/x/.npm/_logs/1-debug-0.log
`,
    needed: ['npm error ERESOLVE unable to resolve dependency tree', 'npm error Found: react@18.2.0'],
    unwanted: ['complete log'],
  },
  {
    of: 'a lock file that does not fit',
    output: `npm error code EUSAGE
npm error
npm error \`npm ci\` can only install packages when your package.json and package-lock.json are in sync.
npm error
npm error Missing: mri@1.2.0 from lock file
npm error
npm error Clean install a project
npm error
npm error Usage:
npm error npm ci
npm error
npm error Options:
npm error [--no-bin-links] [--no-fund] [--dry-run]
npm error [-w|--workspace <workspace-name> [-w|--workspace <workspace-name> ...]]
npm error
npm error   --install-links
npm error     When set file: protocol dependencies will be packed and installed as
`,
    needed: ['npm error `npm ci` can only install', 'npm error Missing: mri@1.2.0 from lock file'],
    unwanted: ['--workspace', 'Clean install', 'protocol'],
  },
  {
    of: 'a script of one’s own',
    output: 'Looking at 3 files\ndata.json has 0 rows, and 12 are needed\n',
    needed: ['data.json has 0 rows, and 12 are needed'],
    unwanted: [],
  },
];
