import type { ProjectConfig } from '../../../config/project/project-config.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { AgentDriver } from '../../../orchestration/drivers/agent-driver.ts';

type DriverName = NonNullable<NonNullable<ProjectConfig['drivers']>['player']>;

/** Driver options of the command line. */
interface AskedDrivers {
  driver?: DriverName | undefined;
  coachDriver?: DriverName | undefined;
  scenario?: string | undefined;
}

interface DriverContext {
  env: NodeJS.ProcessEnv;
  /** The project's checkout, whose programs are untrusted. */
  folder: string;
}

/** The drivers of Player and Coach; a shared one is created once. */
export async function chooseDrivers(
  { driver, coachDriver, scenario }: AskedDrivers,
  config: ProjectConfig,
  where: DriverContext,
): Promise<{ player: AgentDriver; coach: AgentDriver }> {
  const playerName = driver ?? config.drivers?.player ?? 'claude';
  const coachName = coachDriver ?? (driver ? driver : config.drivers?.coach) ?? playerName;
  const player = await chooseDriver(playerName, config, scenario, where);
  const coach = coachName === playerName ? player : await chooseDriver(coachName, config, scenario, where);
  return { player, coach };
}

/** Creates the requested driver; each is loaded only when used. */
async function chooseDriver(
  name: DriverName,
  { drivers = {} }: ProjectConfig,
  scenario: string | undefined,
  where: DriverContext,
): Promise<AgentDriver> {
  switch (name) {
    case 'script': {
      if (scenario === undefined) throw noScenario();
      const { readScenario } = await import('../../../orchestration/drivers/scenario.ts');
      const { scriptDriver } = await import('../../../orchestration/drivers/script-driver.ts');
      return scriptDriver(await readScenario(scenario));
    }
    case 'command': {
      const { command } = drivers;
      if (!command) throw noCommand();
      const { commandDriver } = await import('../../../orchestration/drivers/command-driver.ts');
      const { run, env, writable, network } = command;
      return commandDriver({
        run,
        ...(env ? { env } : {}),
        ...(writable ? { writable } : {}),
        ...(network ? { network } : {}),
      });
    }
    case 'acp': {
      const { acp } = drivers;
      if (!acp) throw noAcp();
      const { acpDriver } = await import('../../../orchestration/drivers/acp/acp-driver.ts');
      const { requireProgram } = await import('../../../orchestration/drivers/cli/cli-driver.ts');
      requireProgram(acp.command[0] ?? '', where);
      return acpDriver(acp);
    }
    case 'codex':
    case 'copilot':
    case 'gemini':
    case 'opencode':
    case 'qwen': {
      const { cliDriver, requireProgram } = await import('../../../orchestration/drivers/cli/cli-driver.ts');
      const { CLI_AGENTS } = await import('../../../orchestration/drivers/cli/cli-agents.ts');
      // Now, before anything is run or recorded.
      requireProgram(name, where);
      return cliDriver(CLI_AGENTS[name](drivers[name]), drivers[name]);
    }
    case 'claude': {
      const { claudeDriver } = await import('../../../orchestration/drivers/claude-driver.ts');
      const { loadClaudeSdk } = await import('../../../orchestration/drivers/load-claude-sdk.ts');
      // Now, before anything is run or recorded.
      const sdk = await loadClaudeSdk();
      const model = drivers.claude?.model;
      return claudeDriver({ load: async () => sdk, ...(model === undefined ? {} : { model }) });
    }
  }
}

function noScenario(): GuardKitError {
  return new GuardKitError({
    code: 'driver.no-scenario',
    kind: 'input',
    message: 'The script driver needs a scenario file.',
    hint: 'Add --scenario FILE.',
  });
}

function noAcp(): GuardKitError {
  return new GuardKitError({
    code: 'driver.no-command',
    kind: 'input',
    message: 'The acp driver has no command.',
    hint: 'Commit it to .guardkit/config.yaml:\ndrivers:\n  acp:\n    command: [my-agent, --acp]',
  });
}

function noCommand(): GuardKitError {
  return new GuardKitError({
    code: 'driver.no-command',
    kind: 'input',
    message: 'The command driver has no command.',
    hint: 'Commit it to .guardkit/config.yaml:\ndrivers:\n  command:\n    run: my-agent --print',
  });
}
