"""Records the results of unittest through methods on its result object that are removed after the run."""
import contextlib
import os
import sys

METHODS = (
    "startTest addSuccess addError addFailure addSkip addExpectedFailure addUnexpectedSuccess addSubTest stopTest"
).split()


@contextlib.contextmanager
def record(suite, result, run):
    if run.selected is not None:
        select(suite, run.selected)
    listener = Listener(run)
    replaced = [name for name in METHODS if hasattr(result, name)]
    try:
        for name in replaced:
            setattr(result, name, listening(getattr(listener, name), getattr(result, name)))
    except AttributeError:
        # Safe: without results nothing is recorded as passed.
        run.fault("The result object of this runner cannot be watched")
    try:
        yield
        run.complete = True
    finally:
        for name in replaced:
            if name in getattr(result, "__dict__", {}):
                delattr(result, name)
        listener.end()
        run.complete = True
        run.check_assertions()
        run.write()


def listening(ours, theirs):
    def call(*args, **kwargs):
        ours(*args, **kwargs)
        return theirs(*args, **kwargs)

    return call


class Listener:
    def __init__(self, run):
        self.run = run
        self.open = {}

    def startTest(self, test):
        self.open[id(test)] = (test, False)

    def stopTest(self, test):
        known, reported = self.open.pop(id(test), (test, True))
        if not reported:
            self.add(known, "failed", "It finished without a result.")

    def addSuccess(self, test):
        self.add(test, "passed")

    def addSkip(self, test, reason):
        self.add(getattr(test, "test_case", test), "skipped", reason)

    def addExpectedFailure(self, test, err):
        self.add(test, "skipped", "expected to fail")

    def addUnexpectedSuccess(self, test):
        self.add(test, "failed", "It was expected to fail but passed.")

    def addFailure(self, test, err):
        self.add(test, "failed", message_of(err))

    def addError(self, test, err):
        self.add(test, "failed", message_of(err))

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.add(test, "failed", message_of(err))

    def add(self, test, status, message=""):
        if id(test) in self.open:
            self.open[id(test)] = (test, True)
        kind = type(test)
        if kind.__module__ == "unittest.loader" and kind.__name__ == "_FailedTest":
            self.run.fault(message, file_of_module(getattr(test, "_testMethodName", "")))
        elif kind.__module__ == "unittest.suite":
            # setUpModule, setUpClass and their counterparts, which belong to no test.
            if status == "failed":
                self.run.fault("%s: %s" % (test, message))
        else:
            self.run.add(file_of(test), path_of(test), status, message)

    def end(self):
        for test, reported in list(self.open.values()):
            if not reported:
                self.add(test, "failed", "It started and did not finish.")


def path_of(test):
    example = getattr(test, "_dt_test", None)
    if example is not None:
        return [example.name]
    method = getattr(test, "_testMethodName", None)
    return type(test).__qualname__.split(".") + [method] if method else [str(test)]


def file_of(test):
    example = getattr(test, "_dt_test", None)
    if example is not None:
        return example.filename
    function = getattr(test, "_testFunc", None)
    if function is not None and hasattr(function, "__code__"):
        return function.__code__.co_filename
    return getattr(sys.modules.get(type(test).__module__), "__file__", None)


def file_of_module(name):
    """A module that could not be imported; only its name is known."""
    for folder in sys.path:
        path = os.path.join(folder or ".", *name.split("."))
        for file in (path + ".py", os.path.join(path, "__init__.py")):
            if os.path.isfile(file):
                return os.path.abspath(file)
    return None


def message_of(err):
    try:
        kind, value, _ = err
        return "%s: %s" % (kind.__name__, value)
    except Exception:
        # Safe: the outcome counts, not the text.
        return str(err)


def select(suite, files):
    tests = getattr(suite, "_tests", None)
    if not isinstance(tests, list):
        return
    kept = []
    for test in tests:
        if hasattr(test, "_tests"):
            select(test, files)
            kept.append(test)
        elif os.path.realpath(selectable(test) or "") in files:
            kept.append(test)
    tests[:] = kept


def selectable(test):
    if type(test).__module__ == "unittest.loader":
        return file_of_module(getattr(test, "_testMethodName", ""))
    return file_of(test)
