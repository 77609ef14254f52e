"""Records pytest's results. It watches hook calls instead of being a plugin that tests could see."""
import os
import sys


def record(config, run, finish):
    watcher = Watcher(config, run, finish)
    watcher.stop = config.pluginmanager.add_hookcall_monitoring(guarded(watcher.before, run), guarded(watcher.after, run))


def guarded(watch, run):
    """An error here must not change pytest's result; the run then has a fault."""

    def call(*args):
        try:
            watch(*args)
        except Exception as error:
            run.fault("The results of pytest could not be recorded: %r" % (error,))

    return call


class Watcher:
    def __init__(self, config, run, finish):
        self.config = config
        self.run = run
        self.finish = finish
        self.worker = False
        self.collecting = False
        self.hide = None
        self.broken = False

    def before(self, name, implementations, given):
        if name == "pytest_sessionstart":
            self.worker = hasattr(self.config, "workerinput")
        elif name == "pytest_xdist_setupnodes":
            self.hide = self.run.restore_environment()
        elif name == "pytest_collection":
            self.collecting = True
        elif name == "pytest_unconfigure":
            self.hide_environment()
        elif self.run.selected is not None:
            self.select(name, implementations, given)

    def select(self, name, implementations, given):
        """Other files are not loaded, since that takes time and may fail."""
        if name == "pytest_collect_file":
            path = os.path.realpath(str(given.get("file_path") or given.get("path")))
            if path not in self.run.selected and path not in self.named() and os.path.basename(path) != "__init__.py":
                # Without an implementation nothing is collected; the list belongs to this call only.
                implementations[:] = []
        elif name == "pytest_collection_modifyitems":
            given["items"][:] = [item for item in given["items"] if real(item) in self.run.selected]

    def named(self):
        """Files named in the command: pytest fails if it finds nothing in one."""
        root = getattr(self.config, "invocation_params", None)
        folder = str(getattr(root, "dir", "") or os.getcwd())
        return {os.path.realpath(os.path.join(folder, str(one).split("::")[0])) for one in self.config.args}

    def after(self, outcome, name, _implementations, given):
        if name == "pytest_runtest_logreport" and not self.worker:
            self.add(given["report"])
        elif name == "pytest_collectreport" and not self.worker and given["report"].failed:
            report = given["report"]
            self.broken = True
            self.run.fault(report.longreprtext, self.path(report.nodeid))
        elif name == "pytest_internalerror":
            self.run.fault("pytest failed: %s" % given.get("excrepr"))
        elif name == "pytest_keyboard_interrupt":
            # Files that do not load stop the run and are already faults.
            if not self.broken:
                self.run.fault("The run was interrupted before every test had run: %r" % given["excinfo"].value)
        elif name == "pytest_plugin_registered":
            self.look_at_plugin(given["plugin"])
        elif name == "pytest_sessionstart":
            self.hide_environment()
        elif name == "pytest_cmdline_main":
            if getattr(outcome, "excinfo", None) is not None:
                self.run.fault("pytest stopped: %s" % (outcome.excinfo[1],))
            self.end()

    def hide_environment(self):
        if self.hide is not None:
            self.hide()
            self.hide = None

    def add(self, report):
        if report.outcome not in ("passed", "failed", "skipped"):
            return
        if report.outcome == "passed" and report.when != "call":
            return
        file, path = self.place(report.nodeid)
        self.run.add(file, path, report.outcome, "" if report.passed else message_of(report))

    def place(self, nodeid):
        """A parameter may contain the separator of names."""
        before, bracket, parameters = nodeid.partition("[")
        file, *names = before.split("::")
        if not names:
            return self.path(file), [nodeid]
        names[-1] += bracket + parameters
        # Old versions put `()` between a class and its method.
        return self.path(file), [name for name in names if name != "()"]

    def path(self, nodeid):
        file = nodeid.split("::")[0]
        root = getattr(self.config, "rootpath", None) or getattr(self.config, "rootdir", "")
        return os.path.normpath(os.path.join(str(root), file)) if file else None

    def look_at_plugin(self, plugin):
        """Hooks decide results. Code under test that is not a plugin at the start must not become one."""
        file = getattr(plugin, "__file__", None)
        if file is None:
            module = sys.modules.get(getattr(plugin, "__module__", None) or type(plugin).__module__)
            file = getattr(module, "__file__", None)
        if not self.collecting:
            if file and not os.path.basename(file).startswith("conftest."):
                self.run.plugin_folders.add(os.path.dirname(os.path.realpath(file)))
        elif file and self.run.is_project_code(file):
            message = "A plugin was added to pytest during the run by %s" % file
            self.run.fault(message, file, "assertions-replaced")

    def end(self):
        self.stop()
        self.run.complete = True
        self.run.check_assertions()
        self.run.write()
        self.finish()


def real(item):
    path = getattr(item, "path", None) or getattr(item, "fspath", "")
    return os.path.realpath(str(path))


def message_of(report):
    try:
        reason = getattr(report, "wasxfail", None)
        if reason is not None and report.skipped:
            return "expected to fail: %s" % reason
        if isinstance(report.longrepr, tuple):
            return report.longrepr[2]
        # The text starts with the values of arguments; the error itself is more useful.
        crash = getattr(report.longrepr, "reprcrash", None)
        error = getattr(crash, "message", "")
        return "\n".join(part for part in (error, report.longreprtext) if part)
    except Exception:
        # Safe: the outcome counts, not the text.
        return ""
