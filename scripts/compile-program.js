// node scripts/compile-program.js SCRIPT
// Runs what the program is started for most often, and keeps the code that V8 compiled for it beside the script, where
// `src/bin.ts` looks for it.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';

const file = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'guardkit-build-'));
try {
  // As `src/bin.ts` does it.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module, createRequire(file), pathToFileURL(file).href);
  await useProgram(module.exports);

  const compiled = `${file}.${process.version}-${process.platform}-${process.arch}`;
  const temporary = `${compiled}.${process.pid}.tmp`;
  writeFileSync(temporary, script.createCachedData());
  renameSync(temporary, compiled);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function useProgram({ runCli }) {
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(folder, '.guardkit', 'config'), { recursive: true });
  writeFileSync(join(folder, '.guardkit', 'config.yaml'), 'project: build\n');
  writeFileSync(
    join(folder, '.guardkit', 'config', 'entity-overrides.yaml'),
    'role_constraints:\n  coach:\n    must_do_additions: [Be kind]\n',
  );
  for (const args of [
    ['graphiti', 'seed'],
    ['config', 'explain', 'roles', 'coach'],
    ['config', 'explain', 'gates', '--type', 'feature', '--complexity', '5'],
  ]) {
    let complaints = '';
    const exitCode = await runCli(args, {
      cwd: folder,
      env: { GUARDKIT_HOME: join(folder, 'home') },
      stdin: Readable.from([]),
      stdout: sink(() => {}),
      stderr: sink((text) => {
        complaints += text;
      }),
      findPerson: () => ({ present: false, why: 'this is a build' }),
    });
    if (exitCode !== 0) throw new Error(`guardkit ${args.join(' ')} failed:\n${complaints}`);
  }
}

function sink(take) {
  return new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
}
