import {
  type Fits,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isShape,
  isText,
  isWhole,
  orNothing,
  orNull,
} from '../../domain/plain-shape.ts';
import type { WatchTables, WindowRow } from '../../store/ledger/watch-tables.ts';

interface KnownProcess {
  pid: number;
  started: number;
}

export interface WindowBody {
  agent: string;
  agent_type: string | null;
  agent_id: string | null;
  /** It may start programs, which can go on after it. */
  runs: boolean;
  summary: string;
  /** Git's folder that all working trees of the repository share. */
  repository: string;
  /** A sandbox keeps it in its checkout: what changes elsewhere is not its doing. */
  confined?: boolean | undefined;
  /** The agent's own program; null where it is not known. */
  agent_process: KnownProcess | null;
  /** When it began, by the processes of the system. */
  mark: { now: number; lastPid: number; forks: number } | null;
  /** `open` until the action ends, `background` while something that it left runs, `scheduled` if it asked for more later. */
  state: 'open' | 'background' | 'scheduled';
  /** It asked the system to run something later, which no process shows. */
  scheduled: boolean;
  processes: KnownProcess[];
  /** What has cut every tie to its agent may be among them. */
  orphans?: boolean | undefined;
}

const isProcess = isShape({ pid: isWhole, started: isNumber });

const isBody: Fits<WindowBody> = isShape({
  agent: isText,
  agent_type: orNull(isText),
  agent_id: orNull(isText),
  runs: isFlag,
  summary: isText,
  repository: isText,
  confined: orNothing(isFlag),
  agent_process: orNull(isProcess),
  mark: orNull(isShape({ now: isNumber, lastPid: isNumber, forks: isNumber })),
  state: isOneOf(['open', 'background', 'scheduled']),
  scheduled: isFlag,
  processes: isListOf(isProcess),
  orphans: orNothing(isFlag),
});

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
    const body: unknown = JSON.parse(text);
    return isBody(body) ? body : UNREADABLE;
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
