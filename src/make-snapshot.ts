import { loadScript } from './load-script.ts';
import { warmUp } from './warm-up.ts';
import { withoutWorld } from './without-world.ts';

/** What Node itself ends with when a snapshot is another version's; who started it then does so without one. */
const MISFIT = 14;

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
  const program = loadScript<Script>(`${folder}/${script}`, { require: requireHere, later: true });
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
    if (!fits()) process.exit(MISFIT);
    main(program, requireHere).then((exitCode) => process.exit(exitCode));
  });
}

/** What a snapshot is given as `require` knows only Node's own modules. */
function requireLater(file: string): NodeJS.Require {
  const others = () => process.getBuiltinModule('node:module').createRequire(file);
  const load = (name: string): unknown => process.getBuiltinModule(name) ?? others()(name);
  return Object.assign(load, { resolve: (name: string) => others().resolve(name) }) as NodeJS.Require;
}
