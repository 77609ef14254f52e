import type { Script } from 'node:vm';
import { type CompileScript, compileScript, loadScript } from './load-script.ts';
import { warmUp } from './warm-up.ts';
import { withoutWorld } from './without-world.ts';

/** What Node itself ends with when a snapshot is another version's; who started it then does so without one. */
const MISFIT = 14;

/** What the build tells a snapshot that it starts for this alone, before the file of a trial; as `scripts/make-snapshot.js` has it. */
const TRY = '--try';

export interface SnapshotParts<Program> {
  /** Where all parts lie. */
  folder: string;
  /** What is started where there is no snapshot. It names the script by its content. */
  entry: string;
  script: string;
  /** Begins with the memory that was kept. */
  main(program: Program, require: NodeJS.Require): Promise<number>;
}

/** A program that began with its snapshot, and what it has come to load since. */
export interface Begun {
  program: unknown;
  scripts: { file: string | undefined; script: Script }[];
}

/**
 * Run by `node --build-snapshot`, which keeps the memory this leaves behind as a file: a program that begins with it has its
 * script read and evaluated already. Only what is the same at every start may be done here.
 */
export function makeSnapshot<Program extends { evaluate(): void }>({
  folder,
  entry,
  script,
  main,
}: SnapshotParts<Program>): void {
  const { readFileSync, realpathSync } = process.getBuiltinModule('node:fs');
  const file = `${folder}/${entry}`;
  const made = readFileSync(file, 'latin1');
  const requireHere = requireLater(file);
  forgetCompiled();
  let compile = compileForSnapshot;
  const program = loadScript<Program>(`${folder}/${script}`, {
    require: requireHere,
    later: true,
    compile: (source, options) => compile(source, options),
  });
  compile = compileScript;
  withoutWorld(() => program.evaluate());
  warmUp(file);
  const fits = () => {
    try {
      return realpathSync.native(process.argv[1] ?? '') === file && readFileSync(file, 'latin1') === made;
    } catch {
      // Safe: who started it finds out what is wrong when it starts the program itself.
      return false;
    }
  };
  const isTried = () => {
    const [, , order, trial] = process.argv;
    if (order !== TRY || trial === undefined) return false;
    const scripts: Begun['scripts'] = [];
    compile = (source, options) => {
      const compiled = compileScript(source, options);
      scripts.push({ file: options.filename, script: compiled });
      return compiled;
    };
    const run: (begun: Begun) => Promise<void> = requireHere(trial);
    run({ program, scripts }).then(() => process.exit(MISFIT));
    return true;
  };
  process.getBuiltinModule('node:v8').startupSnapshot.setDeserializeMainFunction(() => {
    if (fits()) main(program, requireHere).then((exitCode) => process.exit(exitCode));
    else if (!isTried()) process.exit(MISFIT);
  });
}

/**
 * The build compiles the script for this, by what the program did in a trial. Where V8 refuses that, all functions are compiled
 * now, since each that the snapshot does not have compiled is compiled at every start, when it first runs.
 */
const compileForSnapshot: CompileScript = (source, options) => {
  const script = compileScript(source, options);
  if (!script.cachedDataRejected) return script;
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  // The second, since V8 would give the script again that it has just made, with functions that wait to be compiled.
  const flags = ['lazy', 'compilation-cache'];
  for (const flag of flags) setFlagsFromString(`--no-${flag}`);
  try {
    return compileScript(source, { ...options, cachedData: undefined });
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`);
  }
};

/** What every program of ours uses of Node. */
const USED = ['crypto', 'fs', 'os', 'path', 'url', 'v8', 'vm'];

/**
 * Compiled code names objects by their place in a part of memory that is only read, from Node 22 on. The process that makes a
 * snapshot has another one than Node's own code was compiled with, and compiles all functions of Node's modules anew: a
 * quarter of the snapshot. They are forgotten again; of those that a start runs most are compiled in the warm-up.
 */
function forgetCompiled(): void {
  if (Number.parseInt(process.versions.node, 10) < 22) return;
  for (const name of USED) process.getBuiltinModule(`node:${name}`);
  const { queryObjects, setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--stress-flush-code');
  // Collects garbage before it looks: the code of functions that do not run goes with it.
  queryObjects(class Nothing {});
  setFlagsFromString('--no-stress-flush-code');
}

/** What a snapshot is given as `require` knows only Node's own modules. */
function requireLater(file: string): NodeJS.Require {
  const others = () => process.getBuiltinModule('node:module').createRequire(file);
  const load = (name: string): unknown => process.getBuiltinModule(name) ?? others()(name);
  return Object.assign(load, { resolve: (name: string) => others().resolve(name) }) as NodeJS.Require;
}
