import { realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canonicalJson, sha256 } from '../../domain/json.ts';
import { commandEnvironment } from '../../platform/command-environment.ts';
import type { RunContext } from './run-context.ts';

/** Programs that decide how tests come out, whatever the tree holds. */
const PROGRAMS =
  'node npm npx pnpm yarn bun deno python python3 pytest go cargo rustc java mvn gradle make ruby php dotnet'.split(
    ' ',
  );

/** Identifies the programs and the surroundings that a command runs with, as far as they can change without the tree. */
export function toolchainKey({ env, sandbox, network }: RunContext): string {
  const { PATH = '' } = commandEnvironment(env, { sandboxed: sandbox.available });
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const found = PROGRAMS.map((program) => {
    for (const folder of folders) {
      const file = join(folder, program);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat?.isFile()) return [realpathSync(file), stat.size, Math.floor(stat.mtimeMs)];
    }
    return null;
  });
  const box = sandbox.available ? `${sandbox.kind} ${sandbox.version}` : null;
  return sha256(canonicalJson({ found, box, network, platform: process.platform, arch: process.arch }));
}
