import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { scrubSecrets } from '../../../domain/secrets/scrub-secrets.ts';
import type { AgentRole } from '../../../orchestration/drivers/agent-driver.ts';
import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import { formatSeconds, formatUsd } from '../output/printable.ts';
import type { CliContext } from '../program/cli-command.ts';

const EVERY_MS = 1000;

/** How events of a long-running command are shown. */
export interface Telling<Event> {
  describe(event: Event, verbose: boolean): string | undefined;
  /** The line for the log, which has every event. */
  log(event: Event): string | undefined;
  /** The build event, if it is one. */
  ofBuild(event: Event): BuildEvent | undefined;
}

export interface ShownEvents<Event> {
  emit(event: Event): void;
  /** Call it at the end, also after a failure. */
  end(): void;
}

/** Shows events and logs all of them. */
export function showEvents<Event>(
  context: Pick<CliContext, 'progress' | 'status'>,
  root: string,
  { verbose, jsonEvents = false }: { verbose: boolean; jsonEvents?: boolean },
  { describe, log, ofBuild }: Telling<Event>,
): ShownEvents<Event> {
  const file = openBuildLog(root);
  const live = new LiveProgress(performance.now());
  const refresh = () => {
    if (!jsonEvents) context.status(live.line(performance.now()));
  };
  const timer = setInterval(refresh, EVERY_MS);
  return {
    emit: (event) => {
      const told = log(event);
      if (told !== undefined) file.writeLine(told);
      const built = ofBuild(event);
      if (built) live.see(built, performance.now());
      const line = jsonEvents ? JSON.stringify(event) : describe(event, verbose);
      if (line !== undefined) context.progress(line);
      refresh();
    },
    end: () => clearInterval(timer),
  };
}

/** `.guardkit/logs/autobuild.log`, one line per event. */
function openBuildLog(root: string): { writeLine(line: string): void } {
  const folder = join(root, '.guardkit', 'logs');
  let broken = false;
  const writeLine = (line: string) => {
    if (broken) return;
    try {
      makeFolder(folder);
      const at = new Date().toISOString();
      const lines = scrubSecrets(line).split('\n');
      appendFileSync(join(folder, 'autobuild.log'), lines.map((one) => `${at} ${one}\n`).join(''));
    } catch {
      // Safe: the ledger has everything; a log failure must not end a build.
      broken = true;
    }
  };
  return { writeLine };
}

const AFTER: Record<AgentRole, string> = {
  initializer: 'checking its features',
  planner: 'planned',
  player: 'checking its changes',
  coach: 'applying the verdict',
};

/** The current step of a build, in one line. */
export class LiveProgress {
  readonly #began: number;
  #place = '';
  #step = 'preparing';
  #stepBegan: number;
  #doing = '';
  #usd = 0;

  constructor(now: number) {
    this.#began = now;
    this.#stepBegan = now;
  }

  see(event: BuildEvent, now: number): void {
    switch (event.type) {
      case 'turn_began':
        this.#place = `${event.task} turn ${event.turn}`;
        this.#begin('beginning', now);
        break;
      case 'agent_began':
        this.#begin(`${event.role} (${event.driver})`, now);
        break;
      case 'agent_did':
        this.#doing = event.line;
        break;
      case 'agent_ended':
        this.#usd += event.usage.costUsd ?? 0;
        this.#begin(AFTER[event.role], now);
        break;
      case 'waiting':
        this.#begin(`waiting until ${new Date(event.until).toISOString()}`, now);
        break;
      case 'verifying':
        if (event.event.type === 'run_began') this.#begin(event.event.check, now);
        break;
      case 'verified':
        this.#begin('gates compared', now);
        break;
      default:
        break;
    }
  }

  line(now: number): string {
    const seconds = (since: number) => formatSeconds(Math.max(0, now - since) / 1000);
    return [
      this.#place,
      `${this.#step} ${seconds(this.#stepBegan)}`,
      `${seconds(this.#began)} total`,
      formatUsd(this.#usd),
      this.#doing,
    ]
      .filter((part) => part !== '')
      .join(' · ');
  }

  #begin(step: string, now: number): void {
    this.#step = step;
    this.#stepBegan = now;
    this.#doing = '';
  }
}
