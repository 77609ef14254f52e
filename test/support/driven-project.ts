import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DrivenRun, type DrivenRunContext } from '../../src/enforcement/driven/driven-run.ts';
import { HOOK_ENTITIES, HOOK_KINDS } from '../../src/enforcement/hooks/hook-kinds.ts';
import type { AgentDriver, AgentRequest } from '../../src/orchestration/drivers/agent-driver.ts';
import { runGuarded } from '../../src/orchestration/drivers/agent-driver.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { Ledger } from '../../src/store/ledger/ledger.ts';
import { openLedgerFile } from '../../src/store/ledger/open-ledger-file.ts';
import { agentRequest } from '../orchestration/drivers/agent-request.ts';
import { HookedProject } from './hooked-project.ts';

/** A project with an agent that GuardKit drives in it. */
export class DrivenProject extends HookedProject {
  readonly ledger = new Ledger({
    file: openLedgerFile(join(this.dataFolder, 'ledger.db')),
    clock: systemClock,
    kinds: HOOK_KINDS,
    entityTypes: HOOK_ENTITIES,
  });

  constructor() {
    super();
    onTestFinished(() => this.ledger.close());
  }

  /** Of one run of an agent. */
  guards(driver: string, given: Partial<DrivenRunContext> = {}): DrivenRun {
    return new DrivenRun({
      env: this.personEnv(),
      dataFolder: this.dataFolder,
      ledger: this.ledger,
      project: 'shop-1',
      folder: this.folder,
      role: 'player',
      driver,
      writable: undefined,
      tell: () => {},
      ...given,
    });
  }

  async drive(
    driver: AgentDriver,
    given: Partial<AgentRequest> & Partial<Pick<DrivenRunContext, 'writable'>> = {},
  ) {
    const told: string[] = [];
    const { writable, ...more } = given;
    const guards = this.guards(driver.name, {
      writable,
      ...(more.role ? { role: more.role } : {}),
      tell: (text) => told.push(text),
    });
    const request = await agentRequest({
      folder: this.folder,
      sandbox: undefined,
      env: this.personEnv(),
      ...more,
      guards,
    });
    const result = await runGuarded(driver, request);
    return { result, told, activity: request.activity, ...guards.outcome() };
  }

  entries(kind: string) {
    return this.ledger.entries('shop-1', { kind }).map(({ body }) => body);
  }
}
