import type { AgentRole } from '../../../orchestration/drivers/agent-driver.ts';
import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import { formatSeconds, formatUsd } from './amounts.ts';

const AFTER: Record<AgentRole, string> = {
  initializer: 'looking at its features',
  planner: 'planned',
  player: 'looking at what changed',
  coach: 'applying the verdict',
};

/** What is going on in a build at this moment, in a line. */
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
      `${seconds(this.#began)} in all`,
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
