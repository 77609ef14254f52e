import * as z from 'zod';
import type { WatchTables, WindowRow } from '../../store/ledger/watch-tables.ts';

const processSchema = z.object({ pid: z.int(), started: z.number() });

const bodySchema = z.object({
  agent: z.string(),
  agent_type: z.string().nullable(),
  agent_id: z.string().nullable(),
  /** It may start programs, which can go on after it. */
  runs: z.boolean(),
  summary: z.string(),
  /** Git's folder that all working trees of the repository share. */
  repository: z.string(),
  /** A sandbox keeps it in its checkout: what changes elsewhere is not its doing. */
  confined: z.boolean().optional(),
  /** The agent's own program; null where it is not known. */
  agent_process: processSchema.nullable(),
  /** When it began, by the processes of the system. */
  mark: z.object({ now: z.number(), lastPid: z.number(), forks: z.number() }).nullable(),
  /** `open` until the action ends, `background` while something that it left runs, `scheduled` if it asked for more later. */
  state: z.enum(['open', 'background', 'scheduled']),
  /** It asked the system to run something later, which no process shows. */
  scheduled: z.boolean(),
  processes: z.array(processSchema),
});

export type WindowBody = z.infer<typeof bodySchema>;

/** From an agent's action beginning to the end of all that it started. */
export interface ActionWindow extends Omit<WindowRow, 'body'> {
  body: WindowBody;
}

/** What cannot be read counts as open and of nobody in particular: its end is seen to by time. */
const UNREADABLE: WindowBody = {
  agent: 'unknown',
  agent_type: null,
  agent_id: null,
  runs: false,
  summary: '',
  repository: '',
  agent_process: null,
  mark: null,
  state: 'open',
  scheduled: false,
  processes: [],
};

export function readWindows(tables: WatchTables): ActionWindow[] {
  return tables.windows().map((row) => ({ ...row, body: readBody(row.body) }));
}

function readBody(text: string): WindowBody {
  try {
    return bodySchema.parse(JSON.parse(text));
  } catch {
    return UNREADABLE;
  }
}

export function keepWindow(tables: WatchTables, window: ActionWindow): void {
  tables.setWindow({ ...window, body: JSON.stringify(window.body) });
}

export function sameWindow(
  one: Omit<ActionWindow, 'opened_at' | 'body'>,
  two: Omit<ActionWindow, 'opened_at' | 'body'>,
): boolean {
  return (
    one.project === two.project &&
    one.checkout === two.checkout &&
    one.session === two.session &&
    one.action === two.action
  );
}
