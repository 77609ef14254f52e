import { commandEnvironment } from '../../platform/processes/command-environment.ts';

/** What Claude Code is told by its person beside what every command gets: the account, the service, its settings. */
const OWN = /^(?:ANTHROPIC_|CLAUDE_CODE_|CLAUDE_CONFIG_DIR$|DISABLE_[A-Z_]+$|API_TIMEOUT_MS$)/;

/** Accounts with others who offer the same models, each needed only where it is chosen. */
const SERVICES: readonly { chosenBy: string; names: RegExp }[] = [
  { chosenBy: 'CLAUDE_CODE_USE_BEDROCK', names: /^AWS_/ },
  { chosenBy: 'CLAUDE_CODE_USE_VERTEX', names: /^(?:GOOGLE_|CLOUDSDK_|CLOUD_ML_REGION$|VERTEX_)/ },
  { chosenBy: 'CLAUDE_CODE_USE_FOUNDRY', names: /^AZURE_/ },
];

/**
 * What belongs to the Claude Code that GuardKit itself may run in. The last one would make it write empty files into
 * the worktree and take no permission mode.
 */
const NOT_HANDED_ON =
  /^(?:CLAUDECODE|CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT|SESSION_.*|REMOTE.*|RESUME_.*|SUBPROCESS_ENV_SCRUB)|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE)$/;

/** The environment of Claude Code: a command's, with what it needs to reach its model. */
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
    // What it remembers of other sessions of this person is not part of the task.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_AGENT_SDK_CLIENT_APP: 'guardkit',
  });
  return Object.fromEntries(all.filter(([name]) => !NOT_HANDED_ON.test(name)));
}
