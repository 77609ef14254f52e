import { type Field, HOLE, plainField } from '../words/field.ts';
import { type Call, type Program, type Programs, runShellText, runWrapped, use } from './call.ts';
import { type OptionShape, readOptions } from './read-options.ts';
import { runUnknown } from './run-file.ts';
import { inFolder } from './wrappers.ts';

/** A program that runs targets from a project file. */
function runner(file: string, shape: OptionShape): Program {
  return (call) => {
    const options = readOptions(call.args, shape);
    const folder = options.value('C', 'directory');
    const own: Call = { ...call, frame: { ...call.frame, ...inFolder(call, folder) } };
    const named = options.values('f', 'file', 'makefile', 'justfile');
    use(own, 'read', ...(named.length === 0 ? [plainField(file)] : named));
    const targets = options.operands.filter(({ text }) => !text.includes('='));
    call.shell.findings.unclear(`runs ${[call.name, ...targets.map(({ text }) => text)].join(' ')}`);
    for (const { text } of options.values('eval')) runMakeText(call, text);
    for (const { text } of options.operands) if (text.includes('=')) setVariable(own, text);
    runUnknown({ ...own, args: targets });
    return HOLE;
  };
}

/** make --eval takes makefile text; after a colon, semicolon or tab follows shell text. */
function runMakeText(call: Call, text: string): void {
  call.shell.findings.literalsOf(text);
  const recipe = /[:;\t]([^:;\t]{1,4000})$/.exec(text)?.[1];
  if (recipe !== undefined) runShellText(call, recipe);
}

function setVariable(call: Call, text: string): void {
  const value = text.slice(text.indexOf('=') + 1);
  call.shell.findings.literal(value);
  if (/^SHELL=|^\.SHELLFLAGS=/.test(text)) call.shell.findings.unclear(`make runs its lines with ${value}`);
  runUnknown({ ...call, args: [plainField(text)] });
}

const RUN_SCRIPT =
  /^(?:run|run-script|rum|test|t|tst|start|stop|restart|install-test|it|ci|install|i|add|build|pack|publish|rebuild|dlx|create|init|version|prune|dedupe|update|up|link|uninstall|remove|rm)$/;

/** npm and similar: scripts of package.json, or a program of the project. */
const packageManager: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'wCc',
    long: ['prefix', 'workspace', 'cwd', 'dir', 'filter', 'call', 'script-shell'],
    stops: true,
  });
  const [subcommand, ...rest] = options.operands;
  const own: Call = {
    ...call,
    frame: { ...call.frame, ...inFolder(call, options.value('prefix', 'C', 'cwd', 'dir')) },
  };
  for (const { text } of options.values('script-shell'))
    call.shell.findings.unclear(`${call.name} runs scripts with ${text}`);
  if (subcommand === undefined) return HOLE;
  if (/^(?:exec|x|dlx)$/.test(subcommand.text)) {
    const inner = readOptions(rest, { short: 'pc', long: ['package', 'call'], stops: true });
    const text = inner.value('c', 'call');
    if (text !== undefined) return runShellText(own, text.text);
    return runWrapped(own, inner.operands);
  }
  if (/^(?:pkg|config|set)$/.test(subcommand.text) && /^(?:set|delete|rm|edit)$|=/.test(rest[0]?.text ?? ''))
    use(own, 'write', plainField(subcommand.text === 'pkg' ? 'package.json' : '.npmrc'));
  runUnknown({ ...own, args: rest });
  if (RUN_SCRIPT.test(subcommand.text) || call.name !== 'npm') {
    use(own, 'read', plainField('package.json'));
    const script = /^run/.test(subcommand.text) ? firstWord(rest) : '';
    call.shell.findings.unclear(`runs ${call.name} ${subcommand.text}${script === '' ? '' : ` ${script}`}`);
  }
  return HOLE;
};

function firstWord(fields: readonly Field[]): string {
  return fields.find(({ text }) => !text.startsWith('-'))?.text ?? '';
}

/** Test runners, compilers and similar programs run project code. */
const project: Program = (call) => {
  runUnknown(call);
  call.shell.findings.unclear(`runs ${[call.name, firstWord(call.args)].join(' ').trim()}`);
  return HOLE;
};

const MAKE: OptionShape = {
  short: 'CfIjloW',
  long: ['directory', 'file', 'makefile', 'eval', 'jobs', 'include-dir'],
};

/** Programs that run project scripts and code, by name. */
export const RUNNERS: Programs = {
  make: runner('Makefile', MAKE),
  gmake: runner('Makefile', MAKE),
  ninja: runner('build.ninja', MAKE),
  just: runner('justfile', { short: 'fd', long: ['justfile', 'working-directory', 'set'] }),
  task: runner('Taskfile.yml', { short: 'td' }),
  rake: runner('Rakefile', { short: 'fICR' }),
  npm: packageManager,
  pnpm: packageManager,
  yarn: packageManager,
  ...Object.fromEntries(
    'vitest jest mocha ava pytest tox nox cargo go mvn gradle gradlew ant cmake bazel poetry pipenv uv pip rspec bundle gulp grunt turbo nx lerna playwright cypress swift dotnet composer phpunit mix sbt lein pre-commit husky lefthook'
      .split(' ')
      .map((name) => [name, project]),
  ),
};
