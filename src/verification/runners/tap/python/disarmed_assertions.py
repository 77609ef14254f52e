"""Tries assertions that must fail in the current process: one that passes was disarmed."""
import sys

#: Methods of unittest.TestCase with arguments that must not pass.
FAILING = {
    "assertTrue": (False,),
    "assertFalse": (True,),
    "assertEqual": (1, 2),
    "assertNotEqual": (1, 1),
    "assertAlmostEqual": (1, 2),
    "assertNotAlmostEqual": (1, 1),
    "assertIs": (1, None),
    "assertIsNot": (None, None),
    "assertIsNone": (1,),
    "assertIsNotNone": (None,),
    "assertIn": (1, []),
    "assertNotIn": (1, [1]),
    "assertIsInstance": (1, str),
    "assertNotIsInstance": (1, int),
    "assertGreater": (1, 2),
    "assertGreaterEqual": (1, 2),
    "assertLess": (2, 1),
    "assertLessEqual": (2, 1),
    "assertRegex": ("a", "b"),
    "assertNotRegex": ("a", "a"),
    "assertCountEqual": ([1], [2]),
    "assertListEqual": ([1], [2]),
    "assertTupleEqual": ((1,), (2,)),
    "assertSequenceEqual": ([1], [2]),
    "assertSetEqual": ({1}, {2}),
    "assertDictEqual": ({1: 1}, {1: 2}),
    "assertMultiLineEqual": ("a", "b"),
    "assertRaises": (ValueError, lambda: None),
    "fail": (),
}


def disarmed_assertions():
    """Names of assertions that pass with any value."""
    tries = []
    if "unittest.case" in sys.modules:
        tries += unittest_tries(sys.modules["unittest.case"])
    if "unittest.mock" in sys.modules:
        tries += mock_tries(sys.modules["unittest.mock"])
    if "pytest" in sys.modules:
        tries += pytest_tries(sys.modules["pytest"])
    return [name for name, attempt in tries if passes(attempt)]


def passes(attempt):
    try:
        attempt()
    except BaseException:
        # Safe: it still fails.
        return False
    return True


def unittest_tries(case):
    kind = type("Attempt", (case.TestCase,), {"runTest": lambda self: None})
    one = kind()

    def trying(name, given):
        return "unittest.TestCase." + name, lambda: getattr(one, name)(*given)

    return [trying(name, given) for name, given in FAILING.items() if hasattr(case.TestCase, name)]


def mock_tries(mock):
    def called():
        one = mock.Mock()
        one()
        return one

    return [
        ("unittest.mock.Mock.assert_called", lambda: mock.Mock().assert_called()),
        ("unittest.mock.Mock.assert_called_once", lambda: mock.Mock().assert_called_once()),
        ("unittest.mock.Mock.assert_called_with", lambda: called().assert_called_with(1)),
        ("unittest.mock.Mock.assert_called_once_with", lambda: called().assert_called_once_with(1)),
        ("unittest.mock.Mock.assert_any_call", lambda: called().assert_any_call(1)),
        ("unittest.mock.Mock.assert_has_calls", lambda: called().assert_has_calls([mock.call(1)])),
        ("unittest.mock.Mock.assert_not_called", lambda: called().assert_not_called()),
    ]


def pytest_tries(pytest):
    def raises_nothing():
        with pytest.raises(ValueError):
            pass

    def approximately():
        if not pytest.approx(1) == 2 and pytest.approx(1) != 2 and not pytest.approx([1]) == [2]:
            raise AssertionError

    return [
        ("pytest.raises", raises_nothing),
        ("pytest.approx", approximately),
        ("pytest.fail", lambda: pytest.fail("")),
        ("assert", rewritten),
    ]


def rewritten():
    """Compiles test files like pytest."""
    import ast

    from _pytest.assertion.rewrite import rewrite_asserts

    source = b"assert 1 == 2"
    tree = ast.parse(source)
    rewrite_asserts(tree, source)
    exec(compile(tree, "<assert>", "exec"), {})
