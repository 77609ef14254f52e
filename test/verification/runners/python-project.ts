import { spawnSync } from 'node:child_process';

/** A Python with the given modules: the system's first, then the one on the PATH. */
export function findPython(...modules: string[]): string | undefined {
  const imports = ['sys', ...modules].map((name) => `import ${name}`).join('; ');
  return ['/usr/bin/python3', 'python3'].find((python) => spawnSync(python, ['-c', imports]).status === 0);
}

/** A test that asserts that nothing of GuardKit is visible in its process or its children. */
export const SEES_NOTHING = `import json
import os
import subprocess
import sys

LOOK = """
import json, os, sys
names = [name for name in os.environ if 'GUARDKIT' in name or name in ('PYTHONPATH', 'PYTEST_ADDOPTS', 'GOFLAGS')]
values = [value for value in os.environ.values() if '/tap' in value]
paths = [path for path in sys.path if '/tap' in path]
modules = [name for name, module in sys.modules.items() if '/tap/' in (getattr(module, '__file__', None) or '')]
finders = [type(one).__module__ for one in sys.meta_path if type(one).__module__ == 'wait_for_runner']
arguments = [word for word in sys.argv if 'pytest.xml' in word or '/tap' in word]
seen = [names, values, paths, modules, finders, arguments]
"""


def look_here():
    found = {}
    exec(LOOK, found)
    return found["seen"]


def look_in_child():
    code = LOOK + "print(json.dumps(seen))"
    return json.loads(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout)
`;
