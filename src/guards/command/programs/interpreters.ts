import { type CodeCall, readCode } from '../code/read-code.ts';
import { onlyReadsNamed } from '../code/reading-positions.ts';
import { readsOnly } from '../code/reads-only.ts';
import type { Language } from '../code/tokenize-code.ts';
import type { PathMode } from '../command-analysis.ts';
import { looksLikePath } from '../resolve-field.ts';
import { type Field, HOLE, isKnown, plainField } from '../words/field.ts';
import { type Call, loseTrack, type Program, type Programs, runShellText, use } from './call.ts';
import { type OptionShape, readOptions } from './read-options.ts';
import { contentsOf, runUnknown } from './run-file.ts';

const STARTS =
  /^(?:system|popen|popen2|popen3|exec|execSync|execFile|execFileSync|spawn|spawnSync|fork|run|call|check_call|check_output|getoutput|getstatusoutput|Popen|shell_exec|passthru|proc_open|sh|execute|execl|execlp|execv|execvp|execve|capture2|capture2e|capture3|create_subprocess_shell|create_subprocess_exec)$/;
const WRITES =
  /^(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|truncate|truncateSync|write|file_put_contents|mkdir|mkdirSync|makedirs|symlink|symlinkSync|link|linkSync|chmod|chmodSync|copyfile|copy|copy2|copyFile|copyFileSync|copytree|cp|cpSync|touch|utime|writeTextFile|writeTextFileSync)$/;
const DELETES =
  /^(?:unlink|unlinkSync|rm|rmSync|rmdir|rmdirSync|remove|removeSync|rmtree|rename|renameSync|replace|move|delete)$/;

/** Also methods of strings and lists; they change files only if called on a file module. */
const AMBIGUOUS = /^(?:write|replace|remove|delete|copy|move|rename|link|touch|truncate|rm|cp)$/;
const FILE_MODULES =
  /^(?:os|shutil|fs|fsp|fse|promises|fsPromises|File|FileUtils|IO|Pathname|Path|pathlib|Bun|Deno|path|sh|shell|shelljs|\$)$/i;

/** Records what code names, runs and changes. */
export function runCode(call: Call, code: string, language: Language): string {
  const { findings } = call.shell;
  if (!isKnown(code)) loseTrack(call, `${call.name} runs partly unknown code`);
  const harmless = isKnown(code) && readsOnly(code, language);
  if (!harmless) findings.unclear(`${call.name} runs code`);
  const { strings, calls, commands } = readCode(code, language);
  for (const one of calls) runCall(call, one);
  for (const text of commands) runShellText(call, text);
  for (const text of strings) {
    findings.literal(text);
    if (!looksLikePath(text)) continue;
    const reads =
      harmless ||
      (isKnown(text) && code.includes(text) && onlyReadsNamed(code, language, (one) => one === text));
    use(call, reads ? 'read' : 'mention', plainField(text));
  }
  return HOLE;
}

function runCall(call: Call, { name, on, strings, list }: CodeCall): void {
  const [first, second] = strings;
  if (first === undefined) return;
  if (STARTS.test(name)) {
    if (strings.length > 1 && (list || /^(?:spawn|execFile|execl|execv|system$)/.test(name))) {
      // The exec functions name the program twice.
      const words = name.startsWith('exec') && strings[0] === strings[1] ? strings.slice(1) : strings;
      call.shell.runFields(words.map(plainField), {
        ...call.frame,
        depth: call.frame.depth + 1,
        stdin: undefined,
      });
    } else if (/\S/.test(first)) runShellText(call, first);
    return;
  }
  if (AMBIGUOUS.test(name) && on !== undefined && !FILE_MODULES.test(on)) return;
  const mode = modeOf(name, second);
  if (mode !== undefined)
    for (const text of strings.slice(0, 2)) if (looksLikePath(text)) use(call, mode, plainField(text));
}

function modeOf(name: string, second: string | undefined): PathMode | undefined {
  if (WRITES.test(name)) return 'write';
  if (DELETES.test(name)) return 'delete';
  if (/^(?:open|fopen|openSync)$/.test(name) && second !== undefined && /^[rbt]*[wax+>]/.test(second))
    return 'write';
  return undefined;
}

interface Interpreter {
  language: Language;
  /** Options whose value is code. */
  code: readonly string[];
  options: OptionShape;
  /** Options with a file to load first. */
  loads?: readonly string[];
}

function interpreter({ language, code, options: shape, loads = [] }: Interpreter): Program {
  return (call) => {
    const { findings } = call.shell;
    const options = readOptions(call.args, { ...shape, stops: true });
    const loaded = options.values(...loads);
    use(call, 'read', ...loaded);
    for (const { text } of loaded) findings.unclear(`loads ${text}`);
    if (options.has('i') && language === 'python' && call.frame.stdin === undefined)
      findings.typed(call.name);
    const texts = options.values(...code);
    for (const { text } of texts) runCode(call, text, language);
    const [file, ...rest] = options.operands;
    if (texts.length > 0) {
      runUnknown({ ...call, args: options.operands });
      return HOLE;
    }
    if (options.has('m') && language === 'python')
      return runModule(call, options.value('m'), options.operands);
    // The script is read and run; the words after it are its arguments.
    runUnknown({
      ...call,
      args: file === undefined || file.text === '-' || isFile(file) ? rest : options.operands,
    });
    if (file !== undefined && file.text !== '-') return runScript(call, file, language);
    if (options.has('version', 'v', 'V', 'help', 'h') && call.frame.stdin === undefined) return HOLE;
    return runInput(call, language);
  };
}

function isFile({ text }: Field): boolean {
  return looksLikePath(text) || !isKnown(text);
}

/** Options with which an interpreter finds its code elsewhere. */
const RUNS_NO_INPUT = /^--(?:test|run|prof-process|v8-options|completion-bash|watch-path)(?:$|[=-])/;

function runInput(call: Call, language: Language): string {
  const { stdin } = call.frame;
  if (stdin === undefined) {
    if (!call.args.some(({ text }) => RUNS_NO_INPUT.test(text))) call.shell.findings.typed(call.name);
    return HOLE;
  }
  if (stdin.trim() === HOLE) loseTrack(call, `${call.name} runs its input, which is unknown`);
  else runCode(call, stdin, language);
  return HOLE;
}

function runScript(call: Call, file: Field, language: Language): string {
  use(call, 'read', file);
  const contents = contentsOf(call, file);
  if (contents === undefined || contents.includes(HOLE)) call.shell.findings.unclear(`runs ${file.text}`);
  for (const content of contents ?? []) if (content !== HOLE) runCode(call, content, language);
  return HOLE;
}

function runModule(call: Call, module: Field | undefined, args: readonly Field[]): string {
  call.shell.findings.unclear(`runs the module ${module?.text ?? ''}`);
  runUnknown({ ...call, args });
  return HOLE;
}

const python: Program = (call) => {
  // Everything after -c or -m belongs to the code.
  return interpreter({ language: 'python', code: ['c'], options: { short: 'cmWXQ' } })(call);
};

const node = interpreter({
  language: 'javascript',
  code: ['e', 'eval', 'p', 'print', 'pe'],
  options: {
    short: 'eprC',
    long: [
      'eval',
      'print',
      'require',
      'import',
      'loader',
      'experimental-loader',
      'env-file',
      'input-type',
      'conditions',
      'title',
    ],
  },
  loads: ['r', 'require', 'import', 'loader', 'experimental-loader', 'env-file'],
});

/** node's -pe is -p with -e, not -p with the value e. */
const nodeLike: Program = (call) =>
  node({
    ...call,
    args: call.args.map((field) => (field.text === '-pe' || field.text === '-ep' ? plainField('-e') : field)),
  });

const perl: Program = (call) => {
  // -i may have a backup suffix attached and must not consume the next word.
  const shape: OptionShape = { short: 'eEIMmx', attached: 'i0lFCdD' };
  const options = readOptions(call.args, { ...shape, stops: true });
  const output = interpreter({ language: 'perl', code: ['e', 'E'], options: shape, loads: [] })(call);
  const files = options.has('e', 'E') ? options.operands : [];
  if (options.has('n', 'p', 'i')) use(call, options.has('i') ? 'write' : 'read', ...files);
  return output;
};

const ruby: Program = (call) => {
  const shape: OptionShape = { short: 'eIrCEW', attached: 'i0FKTx' };
  const options = readOptions(call.args, { ...shape, stops: true });
  const output = interpreter({ language: 'ruby', code: ['e'], options: shape, loads: [] })(call);
  if (options.has('i')) use(call, 'write', ...options.operands);
  return output;
};

/** deno and bun: subcommands, otherwise as node. */
const subcommanded: Program = (call) => {
  const [first, ...rest] = call.args;
  if (first?.text === 'eval') {
    for (const { text } of readOptions(rest).operands) runCode(call, text, 'javascript');
    return HOLE;
  }
  if (first?.text === 'run' || first?.text === 'x') {
    const target = readOptions(rest, { stops: true }).operands[0];
    if (target !== undefined && looksLikePath(target.text)) return runScript(call, target, 'javascript');
    call.shell.findings.unclear(`runs ${target?.text ?? 'a script'}`);
    runUnknown(call);
    return HOLE;
  }
  if (
    first !== undefined &&
    /^(?:test|install|add|build|fmt|lint|task|repl|check|i|update|remove|pm|compile|bundle)$/.test(first.text)
  ) {
    call.shell.findings.unclear(`runs ${call.name} ${first.text}`);
    runUnknown(call);
    return HOLE;
  }
  return nodeLike(call);
};

/** Programs that run code, by name without version. */
export const INTERPRETERS: Programs = {
  python,
  pypy: python,
  ipython: python,
  node: nodeLike,
  nodejs: nodeLike,
  tsx: nodeLike,
  'ts-node': nodeLike,
  deno: subcommanded,
  bun: subcommanded,
  perl,
  ruby,
  php: interpreter({
    language: 'php',
    code: ['r', 'B', 'R', 'E'],
    options: { short: 'rBREfdczStF' },
    loads: ['f'],
  }),
  lua: interpreter({ language: 'lua', code: ['e'], options: { short: 'el' }, loads: ['l'] }),
  luajit: interpreter({ language: 'lua', code: ['e'], options: { short: 'el' }, loads: ['l'] }),
  Rscript: interpreter({ language: 'other', code: ['e'], options: { short: 'e' } }),
  osascript: interpreter({ language: 'other', code: ['e'], options: { short: 'el' } }),
  tclsh: interpreter({ language: 'other', code: [], options: {} }),
  julia: interpreter({ language: 'other', code: ['e', 'E'], options: { short: 'eELpt' } }),
};
