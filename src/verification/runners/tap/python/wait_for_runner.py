"""Detects the import of pytest and unittest, and starts recording when a run starts."""
import os
import sys

PYTEST = "_pytest.config"
SUITE = "unittest.suite"
PROGRAM = "unittest.main"


def wait_for_runner(here):
    Taps(here).arm()


class Taps:
    """Only the outermost run of a process is recorded: tests of test tools start nested ones."""

    def __init__(self, here):
        self.here = here
        self.undo = []
        self.busy = False
        self.settings = None
        self.finder = Finder({PYTEST: self.arm_pytest, SUITE: self.arm_suite, PROGRAM: self.arm_program})

    def arm(self):
        self.finder.install()

    def begin(self, runner):
        """Removes every trace of us from this process; the returned run records the results."""
        self.disarm()
        self.busy = True
        session = load(self.here, "runner_session")
        if self.settings is None:
            self.settings = session["take_settings"](self.here, os.environ)
        return session["RunnerSession"](self.settings, runner, self.here)

    def finish(self):
        """Another run may follow in the same process."""
        self.busy = False
        for name, arm in self.finder.wanted_at_first.items():
            if name in sys.modules:
                arm(sys.modules[name])

    def disarm(self):
        self.finder.remove()
        while self.undo:
            self.undo.pop()()

    def replace(self, holder, name, value):
        original = holder.__dict__[name]
        setattr(holder, name, value)
        self.undo.append(lambda: setattr(holder, name, original))

    def arm_pytest(self, module):
        original = module.Config.__init__
        taps = self

        def __init__(self, *args, **kwargs):
            run = taps.begin("pytest")
            original(self, *args, **kwargs)
            load(taps.here, "pytest_tap")["record"](self, run, taps.finish)

        self.replace(module.Config, "__init__", __init__)

    def arm_program(self, module):
        original = module.TestProgram.__init__
        taps = self

        def __init__(self, *args, **kwargs):
            run = taps.begin("unittest")
            taps.arm_loaded_suite(run)
            original(self, *args, **kwargs)

        self.replace(module.TestProgram, "__init__", __init__)

    def arm_loaded_suite(self, run):
        module = sys.modules.get(SUITE)
        if module is not None:
            self.arm_suite(module, run)

    def arm_suite(self, module, run=None):
        original = module.BaseTestSuite.__call__
        taps = self

        def __call__(self, *args, **kwargs):
            begun = run or taps.begin("unittest")
            taps.disarm()
            record = load(taps.here, "unittest_tap")["record"]
            try:
                with record(self, args[0] if args else kwargs.get("result"), begun):
                    return original(self, *args, **kwargs)
            finally:
                taps.finish()

        self.replace(module.BaseTestSuite, "__call__", __call__)


class Finder:
    """Passes modules to callbacks right after loading, and is in `sys.meta_path` only until a run starts."""

    def __init__(self, wanted):
        self.wanted_at_first = dict(wanted)
        self.wanted = dict(wanted)

    def install(self):
        for name in [name for name in self.wanted if name in sys.modules]:
            self.wanted.pop(name)(sys.modules[name])
        sys.meta_path.insert(0, self)

    def remove(self):
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(self, name, path=None, target=None):
        use = self.wanted.pop(name, None)
        if use is None:
            return None
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None)
            spec = None if finder is self or find is None else find(name, path, target)
            if spec is not None:
                after_load(spec.loader, use)
                return spec
        return None


def after_load(loader, use):
    original = loader.exec_module

    def exec_module(module):
        del loader.exec_module
        original(module)
        use(module)

    try:
        loader.exec_module = exec_module
    except AttributeError:
        # Safe: a loader that cannot be watched leaves its runner without a record, which counts as absent.
        pass


def load(here, name):
    """Runs one of our files without making it a module that code under test could find."""
    path = os.path.join(here, name + ".py")
    with open(path, encoding="utf-8") as file:
        code = compile(file.read(), path, "exec")
    names = {"__name__": name, "__file__": path}
    exec(code, names)
    return names
