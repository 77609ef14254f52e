import type { Database } from './open-database.ts';

/** The number of each group. Groups are never removed, so a committed number stays valid. */
export class GroupIds {
  readonly #ids = new Map<string, number>();
  readonly #select;
  readonly #insert;
  readonly #all;

  constructor(database: Database) {
    this.#select = database.prepare<[string], number>('SELECT id FROM episode_group WHERE name = ?').pluck();
    this.#all = database.prepare<[], number>('SELECT id FROM episode_group ORDER BY id').pluck();
    this.#insert = database.prepare('INSERT INTO episode_group (name) VALUES (?)');
  }

  find(group: string): number | undefined {
    const cached = this.#ids.get(group);
    if (cached !== undefined) return cached;
    const id = this.#select.get(group);
    if (id !== undefined) this.#ids.set(group, id);
    return id;
  }

  all(): number[] {
    return this.#all.all();
  }

  /** Only inside a write transaction. */
  findOrCreate(group: string): number {
    const found = this.find(group);
    if (found !== undefined) return found;
    const id = Number(this.#insert.run(group).lastInsertRowid);
    this.#ids.set(group, id);
    return id;
  }

  /** After a rollback: numbers assigned in that transaction do not exist. */
  forget(): void {
    this.#ids.clear();
  }
}
