import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { endGroup, LiveGroup } from '../../platform/processes/end-processes.ts';
import { findProgram } from '../../platform/processes/find-program.ts';
import type { AgentContext, DoctorCheck } from './doctor-check.ts';

/** Codex skips hooks without the person's trust, without a message. Only Codex knows whether it would run them. */
export async function examineCodexTrust({ root, env }: AgentContext): Promise<DoctorCheck> {
  const id = 'codex-trust';
  const program = findProgram('codex', env, root);
  const found = program === undefined ? undefined : await askCodexForHooks(program, root, env);
  if (found === undefined)
    return {
      id,
      outcome: 'absent',
      code: 'not-asked',
      found:
        program === undefined
          ? 'Codex was not found on the PATH, so its trust in the hooks is unknown'
          : 'Codex did not report which hooks it trusts',
    };
  const own = found.filter(({ command }) => command?.includes('/bin/guardkit-hook'));
  if (own.length === 0)
    return {
      id,
      outcome: 'fail',
      code: 'folder-untrusted',
      found: 'Codex does not use the hooks of this folder',
      hint: 'Start `codex` here and trust the folder, then trust GuardKit’s hooks in /hooks. Hooks must not be turned off in Codex’s settings.',
    };
  const skipped = own.filter(({ enabled, trustStatus }) => !enabled || !TRUSTED.includes(trustStatus));
  if (skipped.length > 0)
    return {
      id,
      outcome: 'fail',
      code: 'hooks-untrusted',
      found: `Codex skips ${skipped.length} of GuardKit’s ${own.length} hooks, because you have not trusted them`,
      hint: 'Start `codex` here, open /hooks and trust GuardKit’s hooks.',
    };
  return { id, outcome: 'pass', found: `Codex trusts all ${own.length} hooks` };
}

const TRUSTED: readonly string[] = ['trusted', 'managed'];

const hookSchema = z.looseObject({
  eventName: z.string(),
  command: z.string().nullish(),
  sourcePath: z.string().nullish(),
  enabled: z.boolean(),
  trustStatus: z.string(),
});

const answerSchema = z.looseObject({
  id: z.literal(2),
  result: z.looseObject({
    data: z.array(z.looseObject({ hooks: z.array(hookSchema) })),
  }),
});

/** A hook as Codex itself would run it. */
export type CodexHook = z.infer<typeof hookSchema>;

const TIMEOUT_MS = 20_000;
/** Far more than its answers need. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

const REQUESTS = (root: string) => [
  { id: 1, method: 'initialize', params: { clientInfo: { name: 'guardkit', version: '0' } } },
  { method: 'initialized' },
  { id: 2, method: 'hooks/list', params: { cwds: [root] } },
];

/** The hooks that Codex finds for a folder, with the person's trust; undefined if it does not answer. */
async function askCodexForHooks(
  program: string,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<CodexHook[] | undefined> {
  const { PATH, HOME, CODEX_HOME } = env;
  const child = spawn(program, ['app-server'], {
    cwd: root,
    env: { PATH, HOME, ...(CODEX_HOME === undefined ? {} : { CODEX_HOME }) },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const group = new LiveGroup();
  group.id = child.pid;
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => resolve());
    child.on('error', () => resolve());
  });
  // Safe: without an answer, the caller reports that the trust is unknown.
  child.stdin.on('error', () => {});
  // It ends when its input ends, so the input stays open until it has answered.
  child.stdin.write(
    REQUESTS(root)
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
  );
  const timer = setTimeout(() => void (child.pid === undefined || endGroup(child.pid)), TIMEOUT_MS);
  try {
    return await readAnswer(child.stdout);
  } finally {
    clearTimeout(timer);
    child.stdin.end();
    if (child.pid !== undefined) await endGroup(child.pid);
    await ended;
    group.ended();
  }
}

async function readAnswer(output: Readable): Promise<CodexHook[] | undefined> {
  let text = '';
  for await (const chunk of output.setEncoding('utf8')) {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const answer = answerSchema.safeParse(parse(line));
      if (answer.success) return answer.data.result.data.flatMap(({ hooks }) => hooks);
    }
    if (text.length > MAX_CHARACTERS) return undefined;
  }
  return undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Safe: not an answer.
    return undefined;
  }
}
