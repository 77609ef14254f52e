import type { Session } from './postgres-database.ts';

/** The number of each group. Groups are never removed, so a number stays valid. */
export class GroupIds {
  readonly #session: Session;
  readonly #ids = new Map<string, number>();

  constructor(session: Session) {
    this.#session = session;
  }

  async find(group: string): Promise<number | undefined> {
    return (await this.findAll([group])).get(group);
  }

  /** Those that exist. */
  async findAll(groups: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const unknown = groups.filter((group) => !this.#ids.has(group));
    if (unknown.length > 0) {
      this.#keep(
        await this.#session.query<{ id: number; name: string }>({
          text: 'SELECT id, name FROM guardkit.episode_group WHERE name = ANY(?::text[])',
          values: [unknown],
        }),
      );
    }
    return new Map(
      groups.flatMap((group) => {
        const id = this.#ids.get(group);
        return id === undefined ? [] : [[group, id] as const];
      }),
    );
  }

  /** In its own transaction, before the one that needs them: a group without episodes is not visible anywhere. */
  async findOrCreateAll(groups: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = await this.findAll(groups);
    const missing = groups.filter((group) => !found.has(group));
    if (missing.length === 0) return found;
    await this.#session.query({
      text:
        'INSERT INTO guardkit.episode_group (name) SELECT name FROM unnest(?::text[]) AS name ORDER BY name ' +
        'ON CONFLICT DO NOTHING',
      values: [missing],
    });
    return this.findAll(groups);
  }

  /** After a failure: the schema may have been restored from a backup with other numbers. */
  forget(): void {
    this.#ids.clear();
  }

  #keep(rows: readonly { id: number; name: string }[]): void {
    for (const { id, name } of rows) this.#ids.set(name, id);
  }
}
