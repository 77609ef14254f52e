"""One run of one test runner: its key, its results and its sealed record."""
import atexit
import hashlib
import hmac
import json
import os
import re
import time

LONGEST = 4000
TEST_SIDE = re.compile(
    r"(?:^|/)(?:(?:tests?|testing|specs?|fixtures|test_(?:utils?|helpers?))/|(?:test_[^/]*|[^/]*_test|tests?|conftest)\.py$)"
)
OWN = ("REPORTS", "TAP_OPTIONS", "TAP_REPORTER", "TAP_REPORTERS", "TAP_UNDO", "TAP_PATH", "TAP_NODE", "TAP_ADDED", "TAP_WORKER")


def take_settings(here, environ):
    """Removes our variables from the environment, so that tests and their children see none of them."""
    settings = {"folder": environ.get("GUARDKIT_REPORTS"), "removed": {}}
    removed = settings["removed"]

    def put(name, value):
        removed.setdefault(name, environ.get(name))
        if value:
            environ[name] = value
        else:
            environ.pop(name, None)

    try:
        undo = json.loads(environ.get("GUARDKIT_TAP_UNDO") or "{}")
    except ValueError:
        undo = {}
    options = [environ.get("GUARDKIT_TAP_REPORTERS"), environ.get("GUARDKIT_TAP_OPTIONS")]
    folders = (environ.get("GUARDKIT_TAP_PATH") or os.path.join(os.path.dirname(here), "path", "node")).split(os.pathsep)
    for name in OWN:
        if "GUARDKIT_" + name in environ:
            put("GUARDKIT_" + name, None)
    for name, values in undo.items():
        if environ.get(name) == values[0]:
            put(name, values[1])
    node = environ.get("NODE_OPTIONS", "")
    for option in options:
        if option and option in node:
            node = node.replace(option, "").strip()
            put("NODE_OPTIONS", node)
    for name, ours in (("PATH", folders), ("PYTHONPATH", [here])):
        entries = environ.get(name, "").split(os.pathsep)
        if any(entry in ours for entry in entries):
            put(name, os.pathsep.join(entry for entry in entries if entry not in ours))
    return settings


class RunnerSession:
    """Commits to a record: written when the run is complete, or else when the process ends."""

    def __init__(self, settings, runner, here):
        self.runner = runner
        self.here = here
        self.folder = settings["folder"]
        self.removed = settings["removed"]
        self.process = os.getpid()
        self.libraries = {os.path.realpath(os.path.dirname(os.__file__)), os.path.dirname(os.path.realpath(os.__file__))}
        self.root = os.path.realpath(os.getcwd())
        #: Of pytest's plugins when the run begins: a project may be such a plugin.
        self.plugin_folders = set()
        self.key = take_key(self.folder)
        self.tests = {}
        self.faults = []
        self.complete = False
        self.written = False
        self.selected = read_selection(self.folder)
        atexit.register(self.write)

    def add(self, file, path, status, message=""):
        """The heavier of a test's results wins: those of phases, subtests and repetitions."""
        weights = {"todo": 0, "skipped": 1, "passed": 2, "failed": 3}
        key = (file, tuple(path))
        before = self.tests.get(key)
        if before is None or weights[status] > weights[before[0]] or status == before[0] == "skipped":
            self.tests[key] = (status, str(message)[:LONGEST])

    def fault(self, message, file=None, code=None):
        fault = {"message": str(message)[:LONGEST]}
        if file:
            fault["file"] = file
        if code:
            fault["code"] = code
        self.faults.append(fault)

    def restore_environment(self):
        """For a process of the runner itself, such as a worker; returns a function that hides it again."""
        before = {name: os.environ.get(name) for name in self.removed}
        for name, value in self.removed.items():
            if value is not None:
                os.environ[name] = value

        def hide():
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value

        return hide

    def check_assertions(self):
        """Runs last; nothing in it can change the runner's result."""
        try:
            for name, file in self.load("replaced_assertions")(self.is_project_code):
                origin = file or "code of unknown origin"
                self.fault("%s was replaced during the run by %s" % (name, origin), file, "assertions-replaced")
            for name in self.load("disarmed_assertions")():
                message = "%s passes after the run with values that must fail" % name
                self.fault(message, None, "assertions-replaced")
        except Exception as error:
            self.fault("The assertions could not be checked after the run: %r" % (error,), None, "assertions-replaced")

    def load(self, name):
        """Loads the main function of one of our files without making it a module that tests could find."""
        path = os.path.join(self.here, name + ".py")
        names = {"__name__": name, "__file__": path}
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), names)
        return names[name]

    def is_project_code(self, file):
        """Whether a file is code under test: not Python's, not installed, not ours and not test code."""
        if file.startswith("<"):
            return False
        path = os.path.realpath(file)
        if TEST_SIDE.search(os.path.relpath(path, self.root)) or os.path.dirname(path) in self.plugin_folders:
            return False
        if "/site-packages/" in path or "/dist-packages/" in path or path.startswith(self.here + os.sep):
            return False
        return not any(path.startswith(folder + os.sep) for folder in self.libraries)

    def write(self):
        # A forked child has a copy of this.
        if self.written or self.key is None or os.getpid() != self.process:
            return
        self.written = True
        atexit.unregister(self.write)
        facts = json.dumps({"runner": self.runner, "exitCode": 0 if self.complete else "unknown"})
        signed = (facts + "\n" + (self.report() if self.complete else "")).encode("utf-8", "replace")
        mac = hmac.new(self.key["secret"].encode(), signed, hashlib.sha256).hexdigest()
        head = json.dumps({"guardkit": "record", "key": self.key["name"], "mac": mac}) + "\n"
        path = os.path.join(self.folder, "%d-%s" % (os.getpid(), os.urandom(16).hex()))
        try:
            with open(path + ".tmp", "xb") as file:
                file.write(head.encode() + signed)
            os.rename(path + ".tmp", path + ".record")
        except OSError:
            # Safe: a key without a record is reported, and nothing here may change the runner's result.
            pass

    def report(self):
        files = {}
        for (file, path), (status, message) in self.tests.items():
            files.setdefault(file, []).append(
                {
                    "ancestorTitles": list(path[:-1]),
                    "title": path[-1] if path else "",
                    "status": status,
                    "failureMessages": [message] if message else [],
                }
            )
        results = [
            {"name": file, "status": "passed", "message": "", "assertionResults": tests} for file, tests in files.items()
        ]
        return json.dumps({"runner": self.runner, "testResults": results, "faults": self.faults})


def take_key(folder):
    """Takes the key and leaves a digest of it for the next runner; the taken key cannot be derived from that."""
    path = os.path.join(folder, "key")
    mine = path + "." + os.urandom(16).hex()
    # It is missing for a moment while another runner changes it.
    for _ in range(200):
        try:
            os.rename(path, mine)
            break
        except OSError:
            time.sleep(0.005)
    try:
        with open(mine, encoding="utf-8") as file:
            key = file.read()
        with open(mine, "w", encoding="utf-8") as file:
            file.write(digest("next", key))
        os.rename(mine, path)
        return {"name": digest("name", key), "secret": digest("seal", key)}
    except OSError:
        # Safe: without a key there is no record, and the key file shows that something is wrong.
        return None


def digest(purpose, key):
    return hashlib.sha256((purpose + ":" + key).encode()).hexdigest()


def read_selection(folder):
    """The test files that the run is limited to; None for all."""
    try:
        with open(os.path.join(folder, "select"), encoding="utf-8") as file:
            return {os.path.realpath(path) for path in json.load(file)}
    except (OSError, ValueError):
        # Safe: without a selection everything runs.
        return None
