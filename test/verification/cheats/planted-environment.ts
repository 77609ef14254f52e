import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../support/cli.ts';

/** Something in a person's environment that would run code in a command; each prints its own mark when it runs. */
export interface Plant {
  name: string;
  /** Returns variables to set, if any; files go into the person's home folder. */
  put(sandbox: Sandbox): Record<string, string>;
  /** Why it cannot be tried on this machine. */
  skip?: string | undefined;
}

export const mark = (name: string): string => `PLANTED ${name.replaceAll(/[^\w]+/g, '-')}.`;

/** Uses each tool in the way that triggers the plants. */
export const USE_EVERYTHING = `set -e
npm run --silent hello
node -e 0
python3 -c 0
bash -c true
bash -lc true
perl -e 0 || true
make -s -f made.mk
rm -rf scratch
git init -q scratch
git -C scratch commit -q --allow-empty -m Commit
`;

export const PLANTED_PROJECT = {
  'everything.sh': USE_EVERYTHING,
  'made.mk': 'all:\n\t@true\n',
  'package.json':
    '{ "name": "calc", "version": "1.0.0", "type": "module", "scripts": { "hello": "node -e 0" } }\n',
};

const inHome = (sandbox: Sandbox, path: string, text: string): string => sandbox.write(`home/${path}`, text);

function program(sandbox: Sandbox, path: string, text: string): string {
  const file = sandbox.write(path, text);
  chmodSync(file, 0o755);
  return file;
}

/** A program of that name before the real one on the PATH; all of them in one folder. */
const earlier = (tool: string): Plant => ({
  name: `${tool} earlier on the PATH`,
  put: (sandbox) => {
    const real = execFileSync('sh', ['-c', `command -v ${tool}`], {
      env: sandbox.env,
      encoding: 'utf8',
    }).trim();
    const text = `#!/bin/sh\necho '${mark(`${tool} earlier on the PATH`)}' >&2\nexec '${real}' "$@"\n`;
    program(sandbox, `planted/bin/${tool}`, text);
    return { PATH: `${sandbox.path('planted/bin')}:${sandbox.env.PATH}` };
  },
});

/** A variable that names a file with code. */
const loaded = (
  variable: string,
  extension: string,
  code: (say: string) => string,
  value = (file: string) => file,
): Plant => ({
  name: variable,
  put: (sandbox) => ({
    [variable]: value(sandbox.write(`planted/${variable}.${extension}`, code(mark(variable)))),
  }),
});

const shellSays = (say: string) => `echo '${say}' >&2\n`;
const nodeSays = (say: string) => `process.stderr.write('${say}\\n');\n`;
const pythonSays = (say: string) => `import sys\nsys.stderr.write('${say}\\n')\n`;

function hooks(sandbox: Sandbox, folder: string, name: string): string {
  program(sandbox, `planted/${folder}/hooks/pre-commit`, `#!/bin/sh\n${shellSays(mark(name))}`);
  return sandbox.path('planted', folder);
}

function has(tool: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' });
    return true;
  } catch {
    // Safe: the plant is then skipped by name.
    return false;
  }
}

export const PLANTS: Plant[] = [
  {
    name: 'node-options in ~/.npmrc',
    put: (sandbox) => {
      const file = sandbox.write('planted/npmrc.cjs', nodeSays(mark('node-options in ~/.npmrc')));
      const shell = program(
        sandbox,
        'planted/script-shell',
        `#!/bin/sh\necho '${mark('script-shell in ~/.npmrc')}' >&2\nexec /bin/sh "$@"\n`,
      );
      inHome(sandbox, '.npmrc', `node-options=--require ${file}\nscript-shell=${shell}\n`);
      return {};
    },
  },
  { name: 'script-shell in ~/.npmrc', put: () => ({}) },
  ...['node', 'npm', 'python3', 'git', 'make', 'bash'].map(earlier),
  loaded('NODE_OPTIONS', 'cjs', nodeSays, (file) => `--require ${file}`),
  loaded('npm_config_node_options', 'cjs', nodeSays, (file) => `--require ${file}`),
  loaded('BASH_ENV', 'sh', shellSays),
  loaded(
    'PERL5OPT',
    'pm',
    (say) => `package PERL5OPT; print STDERR "${say}\\n"; 1;\n`,
    (file) => `-I${file.replace(/\/[^/]*$/, '')} -MPERL5OPT`,
  ),
  {
    name: 'npm_config_script_shell',
    put: (sandbox) => ({
      npm_config_script_shell: program(
        sandbox,
        'planted/npm-shell',
        `#!/bin/sh\necho '${mark('npm_config_script_shell')}' >&2\nexec /bin/sh "$@"\n`,
      ),
    }),
  },
  {
    name: 'sitecustomize on PYTHONPATH',
    put: (sandbox) => {
      sandbox.write('planted/python/sitecustomize.py', pythonSays(mark('sitecustomize on PYTHONPATH')));
      return { PYTHONPATH: sandbox.path('planted/python') };
    },
  },
  {
    name: 'usercustomize in the home folder',
    put: (sandbox) => {
      const script = 'import site; print(site.getusersitepackages())';
      const folder = execFileSync('python3', ['-c', script], {
        env: { ...sandbox.env, PYTHONPATH: '' },
        encoding: 'utf8',
      }).trim();
      const inside = folder.slice(sandbox.path('home').length + 1);
      inHome(sandbox, `${inside}/usercustomize.py`, pythonSays(mark('usercustomize in the home folder')));
      return {};
    },
    skip: has('python3') ? undefined : 'python3 is not installed',
  },
  {
    name: 'the profile of the shell',
    put: (sandbox) => {
      inHome(sandbox, '.bash_profile', shellSays(mark('the profile of the shell')));
      return {};
    },
  },
  {
    name: 'MAKEFLAGS',
    put: (sandbox) => {
      const file = sandbox.write('planted/flags.mk', `$(info ${mark('MAKEFLAGS')})\n`);
      return { MAKEFILES: file, MAKEFLAGS: '--keep-going' };
    },
  },
  {
    name: 'core.hooksPath in ~/.gitconfig',
    put: (sandbox) => {
      const path = hooks(sandbox, 'hooks-path', 'core.hooksPath in ~/.gitconfig');
      inHome(
        sandbox,
        '.gitconfig',
        `[core]\n\thooksPath = ${path}/hooks\n[user]\n\tname = x\n\temail = x@y\n`,
      );
      return { GIT_CONFIG_GLOBAL: sandbox.path('home/.gitconfig') };
    },
  },
  {
    name: 'GIT_TEMPLATE_DIR',
    put: (sandbox) => ({ GIT_TEMPLATE_DIR: hooks(sandbox, 'template', 'GIT_TEMPLATE_DIR') }),
    // git runs one hook of each name; the other plant comes first.
    skip: 'core.hooksPath takes its place',
  },
  {
    name: 'a library in LD_PRELOAD',
    put: (sandbox) => {
      const source = sandbox.write(
        'planted/preload.c',
        `#include <unistd.h>\n__attribute__((constructor)) static void say(void) { write(2, "${mark('a library in LD_PRELOAD')}\\n", ${mark('a library in LD_PRELOAD').length + 1}); }\n`,
      );
      const library = sandbox.path('planted/preload.so');
      execFileSync('gcc', ['-shared', '-fPIC', '-o', library, source]);
      return { LD_PRELOAD: library };
    },
    skip: has('gcc') ? undefined : 'gcc is not installed',
  },
];

/** Everything printed by GuardKit's commands on this machine. */
export function printedInRuns(sandbox: Sandbox): string {
  const texts: string[] = [];
  const visit = (folder: string) => {
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) visit(path);
      else if (name.endsWith('.log')) texts.push(readFileSync(path, 'utf8'));
    }
  };
  visit(sandbox.home);
  return texts.join('\n');
}
