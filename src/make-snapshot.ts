import { type CompileScript, compileScript, loadScript } from './load-script.ts';
import { warmUp } from './warm-up.ts';
import { withoutWorld } from './without-world.ts';

/** What Node itself ends with when a snapshot is another version's; who started it then does so without one. */
const MISFIT = 14;

/** What the build tells a snapshot that it starts for nothing else, as `scripts/make-snapshot.js` has it. */
const COMPILED_REST = '--compiled-rest';

export interface SnapshotParts<Script> {
  /** Where all parts lie. */
  folder: string;
  /** What is started where there is no snapshot. It names the script by its content. */
  entry: string;
  script: string;
  /** Begins with the memory that was kept. */
  main(program: Script, require: NodeJS.Require): Promise<number>;
}

/**
 * Run by `node --build-snapshot`, which keeps the memory this leaves behind as a file: a program that begins with it has its
 * script read and evaluated already. Only what is the same at every start may be done here.
 */
export function makeSnapshot<Script extends { evaluate(): void }>({
  folder,
  entry,
  script,
  main,
}: SnapshotParts<Script>): void {
  const { readFileSync, realpathSync } = process.getBuiltinModule('node:fs');
  const file = `${folder}/${entry}`;
  const made = readFileSync(file, 'latin1');
  const requireHere = requireLater(file);
  let compile = compileForSnapshot;
  const program = loadScript<Script & { loadRest(): void }>(`${folder}/${script}`, {
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
  process.getBuiltinModule('node:v8').startupSnapshot.setDeserializeMainFunction(() => {
    if (!fits()) {
      if (process.argv[2] === COMPILED_REST) {
        compile = sayCompiled;
        program.loadRest();
      }
      process.exit(MISFIT);
    }
    main(program, requireHere).then((exitCode) => process.exit(exitCode));
  });
}

/**
 * From Node 22 on compiled code names objects by their place in a part of memory that each snapshot has for itself, and V8
 * refuses it where that part is another: while a snapshot is made, and when one is started. Where it is refused all functions
 * are compiled now, since each that the snapshot does not have compiled is compiled at every start, when it first runs.
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

/** For the build, which keeps it: only a process that began with the snapshot can compile the rest for those that do. */
const sayCompiled: CompileScript = (source, options) => {
  const script = compileForSnapshot(source, options);
  // Where what the build made before is taken, there is nothing to say.
  if (script.cachedDataRejected === undefined)
    process.getBuiltinModule('node:fs').writeFileSync(1, script.createCachedData());
  return script;
};

/** What a snapshot is given as `require` knows only Node's own modules. */
function requireLater(file: string): NodeJS.Require {
  const others = () => process.getBuiltinModule('node:module').createRequire(file);
  const load = (name: string): unknown => process.getBuiltinModule(name) ?? others()(name);
  return Object.assign(load, { resolve: (name: string) => others().resolve(name) }) as NodeJS.Require;
}
