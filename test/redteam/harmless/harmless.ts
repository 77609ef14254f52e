import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LIST_PATH } from '../../support/hooked-project.ts';
import { AttackSession } from '../attack-session.ts';
import { removeTemplate } from '../project-template.ts';
import { ledgerState } from '../protected-state.ts';

export interface Harmless {
  /** A sentence without its subject. */
  name: string;
  setUp?: (session: AttackSession) => void;
  how: (session: AttackSession) => Promise<unknown>;
  /** It gets advice. */
  mayWarn?: boolean;
  /** The person gets a notice, without a violation. */
  mayTell?: boolean;
}

export function does(name: string, text: string, more: Partial<Harmless> = {}): Harmless {
  return { name, how: (session) => session.bash(text), ...more };
}

interface Seen {
  files: Record<string, string>;
  blamed: string[];
}

async function run(action: Harmless, guarded: boolean): Promise<Seen> {
  const session = new AttackSession({ guarded });
  action.setUp?.(session);
  await session.begin();
  await action.how(session);
  await session.end();
  const files = filesOf(session);
  if (!guarded) return { files, blamed: [] };
  const told = session.acted.flatMap(({ before, after, refused }) => {
    const reasons = [
      refused
        ? `refused: ${before.stderr}${before.json.hookSpecificOutput?.permissionDecisionReason}`
        : undefined,
      action.mayWarn ? undefined : before.json.hookSpecificOutput?.additionalContext,
      after?.json.reason,
      action.mayTell ? undefined : after?.json.systemMessage,
    ];
    return reasons.filter((reason) => reason !== undefined);
  });
  const { sound, violations, judged, refusals } = ledgerState(session);
  const warned = action.mayWarn ? [] : judged.flatMap(({ findings }) => findings);
  return {
    files,
    blamed: [...told, ...violations, ...refusals, ...warned, ...(sound ? [] : ['the chain is broken'])],
  };
}

const NOT_THE_ACTIONS = /^(?:\.git|\.claude\/settings\.local\.json)(?:\/|$)/;

/** Every file of the project, except git’s own and those that differ between runs. */
function filesOf({ folder }: AttackSession): Record<string, string> {
  const found: Record<string, string> = {};
  const open = [''];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (NOT_THE_ACTIONS.test(path)) continue;
    const absolute = join(folder, path);
    const stat = lstatSync(absolute);
    if (stat.isDirectory())
      open.push(...readdirSync(absolute).map((name) => (path === '' ? name : `${path}/${name}`)));
    else if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(absolute)}`;
    else found[path] = path === LIST_PATH ? listSays(absolute) : digest(absolute);
  }
  return found;
}

function digest(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}

/** GuardKit may reformat the list and add features from task files; the rest must stay. */
function listSays(path: string): string {
  const list = JSON.parse(readFileSync(path, 'utf8'));
  const listed = list.features.filter(({ id }: Record<string, unknown>) => String(id).startsWith('FEAT-'));
  return JSON.stringify(
    listed.map(({ id, status, notes, tested, description, priority }: Record<string, unknown>) => ({
      id,
      status: status ?? 'pending',
      notes: notes ?? '',
      tested: tested ?? false,
      description: description ?? '',
      priority: priority ?? null,
    })),
  );
}

/** Runs everything with and without GuardKit: the files must be equal, without notices or violations. */
export function mustPass(actions: readonly Harmless[]): void {
  const blocked: string[] = [];
  describe('an agent at honest work', () => {
    it.each(actions.map((action) => [action.name, action] as const))(
      'is left alone when it %s',
      async (name, action) => {
        blocked.push(name);
        const guarded = await run(action, true);
        const alone = await run(action, false);
        expect(guarded.blamed, 'its notices and violations').toEqual([]);
        expect(guarded.files, 'the files afterwards').toEqual(alone.files);
        blocked.splice(blocked.indexOf(name), 1);
      },
    );
  });
  afterAll(() => {
    removeTemplate();
    const lines = blocked.map((name) => `  FALSELY BLOCKED OR BLAMED: ${name}`);
    process.stdout.write(
      `${[`Red team, ${actions.length} harmless actions, ${blocked.length} false blocks`, ...lines].join('\n')}\n`,
    );
  });
}
