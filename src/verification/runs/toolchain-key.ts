import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, sha256 } from '../../domain/json/json.ts';
import { sealedEnvironment } from '../environment/sealed-environment.ts';
import type { RunContext } from './run-context.ts';

/** Programs that decide how tests come out, whatever the tree holds. */
const PROGRAMS =
  'node npm npx pnpm yarn bun deno python python3 pytest go cargo rustc java mvn gradle make ruby php dotnet'.split(
    ' ',
  );

/** Identifies the programs and the environment that a command runs with, as far as they can change without the tree. */
export function toolchainKey({ env, home, project, variables, sandbox, network }: RunContext): string {
  const sealed = sealedEnvironment({
    env,
    dataFolder: home,
    project,
    verify: variables,
    home: '/',
    sandboxed: sandbox.available,
  });
  const folders = (sealed.env.PATH ?? '').split(':').filter((folder) => folder !== '');
  const programs = PROGRAMS.map((program) => {
    for (const folder of folders) {
      const file = join(folder, program);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat?.isFile()) return [realpathSync(file), stat.size, Math.floor(stat.mtimeMs)];
    }
    return null;
  });
  const box = sandbox.available ? `${sandbox.kind} ${sandbox.version}` : null;
  return sha256(canonicalJson({ programs, env: sealed.env, readable: sealed.readable, box, network }));
}
