import { describe, expect, it } from 'vitest';
import { readTestCases } from '../../../src/verification/test-files/read-test-cases.ts';

const read = (text: string) => readTestCases('test_a.py', text);
const only = (text: string) => {
  const [first, ...rest] = read(text).cases;
  if (first === undefined || rest.length > 0)
    throw new Error(`one test is expected, found ${rest.length + 1}`);
  return first;
};

describe('Python tests', () => {
  it('are functions and methods, named with their classes', () => {
    const text = `
import pytest

def helper():
    def test_inner():
        assert 1
    return test_inner

class TestA(Base):
    """def test_doc(): pass"""
    x = (1,
2)
    def test_b(self):
        self.assertEqual(self.x, 1)

    class Inner:
        async def test_c(self): assert f()

@pytest.mark.parametrize("a,b", [(1, 2), (3, 4), (5, 6)])
@pytest.mark.parametrize("c", ["x", "y"],)
def test_d(a, b, c):
    with pytest.raises(ValueError):
        f(a)
    assert a == b, "message"
`;
    const { cases, uncertain } = read(text);
    expect(cases.map(({ name, kind, assertions, rows }) => [name, kind, assertions, rows])).toEqual([
      ['TestA > test_b', 'active', 1, 1],
      ['TestA > Inner > test_c', 'active', 1, 1],
      ['test_d', 'active', 2, 6],
    ]);
    expect(uncertain).toBe(false);
  });

  it.each([
    '@pytest.mark.skip\ndef test_a():\n    assert x',
    '@pytest.mark.skip(reason="x")\ndef test_a():\n    assert x',
    '@pytest.mark.skipif(True, reason="x")\ndef test_a():\n    assert x',
    '@pytest.mark.xfail\ndef test_a():\n    assert x',
    '@unittest.skip("x")\ndef test_a():\n    assert x',
    '@unittest.expectedFailure\ndef test_a():\n    assert x',
    'def test_a():\n    """doc"""\n    pytest.skip("x")\n    assert x',
    'def test_a(self):\n    self.skipTest("x")\n    assert x',
    'def test_a():\n    raise unittest.SkipTest("x")',
    'pytestmark = pytest.mark.skip\ndef test_a():\n    assert x',
    'pytest.skip("x", allow_module_level=True)\ndef test_a():\n    assert x',
    '@pytest.mark.skip\nclass TestA:\n    def test_a(self):\n        assert x',
    'class TestA:\n    __test__ = False\n    def test_a(self):\n        assert x',
    'class TestA:\n    pytestmark = [pytest.mark.skip]\n    def test_a(self):\n        assert x',
    'def test_a():\n    assert x\ndel test_a',
    'def test_a():\n    assert x\ntest_a = None',
  ])('do not run in %j', (text) => {
    expect(only(text)).toMatchObject({ kind: 'skipped' });
  });

  it.each([
    'def test_a():\n    pass',
    'def test_a(): ...',
    'def test_a():\n    """doc"""',
    'def test_a():\n    return None\n',
    'def test_a():\n    return\n    assert x',
    'def test_a():\n    if True:\n        return\n    assert x',
    'def test_a():\n    if False:\n        assert x',
    'def test_a():\n    try:\n        assert x\n    except Exception:\n        pass',
    'def test_a():\n    try:\n        assert x\n    except:\n        pass',
    'def test_a():\n    with contextlib.suppress(AssertionError):\n        assert x',
  ])('assert nothing in %j', (text) => {
    expect(only(text)).toMatchObject({ kind: 'empty', assertions: 0 });
  });

  it.each([
    'assert True',
    'assert 1 == 1',
    'assert x == x',
    'assert f() or True',
    'assert "x"',
    'assert (1, 2), x',
    'assert not False',
    'self.assertTrue(True)',
    'self.assertEqual(1, 1)',
  ])('assert nothing by %s', (statement) => {
    expect(only(`def test_a(self):\n    f()\n    ${statement}\n`).assertions).toBe(0);
  });

  it.each([
    'assert x',
    'assert f() == f()',
    'assert {"a", "b"} < set(f())',
    'assert (1, 2) == f(), "message"',
    'self.assertEqual(x, 1)',
    'self.assertRenders("*a*", "<em>a</em>")',
    'mock.assert_called_once_with(1)',
    'np.testing.assert_allclose(a, b)',
    'if x:\n        return\n    assert x',
    'try:\n        f()\n    except ValueError:\n        pass\n    assert x',
    'check_same(x)',
    'helper(x)',
  ])('assert something by %j', (statement) => {
    const text = `def helper(x):\n    assert x\n\ndef test_a(self):\n    ${statement}\n`;
    expect(only(text)).toMatchObject({ kind: 'active', assertions: 1 });
  });

  it('may run under a condition', () => {
    expect(
      only('@pytest.mark.skipif(sys.platform == "win32", reason="x")\ndef test_a():\n    assert x'),
    ).toMatchObject({ kind: 'active', conditional: true });
  });

  it('have the same body after formatting', () => {
    expect(only('def test_a():\n    assert f("x")  # why\n    assert y').bodyDigest).toBe(
      only("class A:\n  def test_b(self):\n\n        assert f('x')\n\n        assert y\n").bodyDigest,
    );
  });
});
