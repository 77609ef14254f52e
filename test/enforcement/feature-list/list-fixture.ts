import { mkdirSync, readdirSync, readFileSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Feature, featureSchema } from '../../../src/domain/entities/feature.ts';
import type { ChangeActor } from '../../../src/enforcement/feature-list/change-actor.ts';
import type { FeatureListContext } from '../../../src/enforcement/feature-list/known-list.ts';
import { listPath } from '../../../src/enforcement/feature-list/list-file.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { readFeature } from '../../../src/store/ledger/tables/feature-table.ts';
import { WatchTables } from '../../../src/store/ledger/tables/watch-tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export const PROJECT = 'shop-4f2a';

export const PERSON: ChangeActor = { inWindow: false };

export function agent(type?: string): ChangeActor {
  return {
    inWindow: true,
    actor: { agent: 'claude', session: 'session-1', type, id: undefined },
    action: 'toolu_1',
  };
}

/** A checkout with a feature list and its own ledger. */
export class ListedProject {
  readonly context: FeatureListContext;
  readonly path: string;

  constructor(checkout = temporaryFolder(), context?: FeatureListContext) {
    const dataFolder = context?.dataFolder ?? realpathSync(temporaryFolder());
    const ledger = context?.ledger ?? openLedger({ path: join(dataFolder, 'ledger.db') });
    if (!context) onTestFinished(() => ledger.close());
    this.context = { ledger, project: PROJECT, checkout: realpathSync(checkout), dataFolder };
    this.path = listPath(checkout);
  }

  /** Another checkout of the same project. */
  other(): ListedProject {
    return new ListedProject(temporaryFolder(), this.context);
  }

  write(content: unknown): void {
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  }

  text(): string {
    return readFileSync(this.path, 'utf8');
  }

  list(): { features: Record<string, unknown>[] } & Record<string, unknown> {
    return JSON.parse(this.text());
  }

  listed(id: string): Record<string, unknown> | undefined {
    return this.list().features.find((one) => one.id === id);
  }

  /** Changes fields of one feature in the file, as an editor would. */
  edit(id: string, fields: Record<string, unknown>): void {
    const list = this.list();
    const features = list.features.map((one) => (one.id === id ? { ...one, ...fields } : one));
    this.write({ ...list, features });
  }

  recorded(id: string): Feature | undefined {
    return readFeature(this.context.ledger, PROJECT, id);
  }

  /** Makes the file look as if it changed a while ago. */
  settle(): void {
    utimesSync(this.path, new Date(0), new Date(0));
  }

  entries(kind: string) {
    return this.context.ledger.entries(PROJECT, { kind });
  }

  quarantined(): string[] {
    const folder = join(this.context.dataFolder, 'quarantine', PROJECT);
    try {
      return readdirSync(folder).map((name) => join(folder, name));
    } catch {
      return [];
    }
  }
}

export function feature(id: string, fields: Partial<Feature> = {}): Feature {
  return featureSchema.parse({ id, ...fields });
}

/** Opens an action of an agent of this type in the checkout. */
export function openWindowOf({ context }: ListedProject, type: string | null): void {
  const body = {
    agent: 'claude',
    agent_type: type,
    agent_id: null,
    runs: false,
    summary: 'Edit',
    repository: '',
    agent_process: null,
    mark: null,
  };
  new WatchTables(context.ledger).setWindow({
    project: PROJECT,
    checkout: context.checkout,
    session: 'session-2',
    action: `toolu_${type}`,
    opened_at: Date.now(),
    body: JSON.stringify(body),
  });
}
