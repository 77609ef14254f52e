import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { commandEnvironment } from '../../platform/processes/command-environment.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';

/**
 * Access to the person's Claude Code files: sessions and login are writable, the rest is read-only. A setting or hook
 * written by an agent would run in the person's next session, outside any sandbox.
 */
export function claudeAccess(env: NodeJS.ProcessEnv): Partial<SandboxPolicy> {
  const home = env.HOME ?? homedir();
  const config = env.CLAUDE_CONFIG_DIR ?? join(home, '.claude');
  const sessions = join(config, 'projects');
  makeFolder(sessions, 0o700);
  const login = join(config, '.credentials.json');
  return {
    writable: [sessions, ...(existsSync(login) ? [login] : [])],
    readOnly: [config, join(home, '.claude.json')],
    // The model is remote.
    network: 'host',
  };
}

/** Variables for Claude Code beyond those of every command: account, service, settings. */
const OWN = /^(?:ANTHROPIC_|CLAUDE_CODE_|CLAUDE_CONFIG_DIR$|DISABLE_[A-Z_]+$|API_TIMEOUT_MS$)/;

/** Credentials of other model providers, passed only if that provider is chosen. */
const SERVICES: readonly { chosenBy: string; names: RegExp }[] = [
  { chosenBy: 'CLAUDE_CODE_USE_BEDROCK', names: /^AWS_/ },
  { chosenBy: 'CLAUDE_CODE_USE_VERTEX', names: /^(?:GOOGLE_|CLOUDSDK_|CLOUD_ML_REGION$|VERTEX_)/ },
  { chosenBy: 'CLAUDE_CODE_USE_FOUNDRY', names: /^AZURE_/ },
];

/**
 * Variables of an outer Claude Code that GuardKit may run in. SUBPROCESS_ENV_SCRUB would make the inner one write empty
 * files into the worktree and ignore the permission mode.
 */
const NOT_HANDED_ON =
  /^(?:CLAUDECODE|CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT|SESSION_.*|REMOTE.*|RESUME_.*|SUBPROCESS_ENV_SCRUB)|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE)$/;

/** A command's environment plus what Claude Code needs to reach its model. */
export function claudeEnvironment(
  base: NodeJS.ProcessEnv,
  { sandboxed }: { sandboxed: boolean },
): NodeJS.ProcessEnv {
  const services = SERVICES.filter(({ chosenBy }) => base[chosenBy]);
  const own = Object.entries(base).filter(
    ([name, value]) =>
      value !== undefined && (OWN.test(name) || services.some(({ names }) => names.test(name))),
  );
  const all = Object.entries({
    ...commandEnvironment(base, { sandboxed }),
    ...Object.fromEntries(own),
    // Memory of the person's other sessions is not part of the task.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_AGENT_SDK_CLIENT_APP: 'guardkit',
  });
  return Object.fromEntries(all.filter(([name]) => !NOT_HANDED_ON.test(name)));
}
