import type { PatchedFile } from '../../domain/patches/read-patch.ts';

/** The agent that reported an event, and its folder. */
export interface HookSource {
  /** The coding agent's program. */
  agent: string;
  session: string;
  /** The agent's current folder. */
  cwd: string;
  /** The kind of the subagent; undefined for the agent that talks to a person. */
  actorType: string | undefined;
  actorId: string | undefined;
  /** A person can answer the agent's permission prompt. */
  canAsk: boolean;
}

export interface TextReplacement {
  old: string;
  new: string;
  all: boolean;
}

/** A tool call, independent of the agent. */
export type ToolRequest =
  | { kind: 'read'; paths: readonly string[]; whole: boolean }
  | { kind: 'write'; path: string; content: string }
  /** `searches`: the tool looks for another file with this name if the path is relative and nothing is there. */
  | { kind: 'replace'; path: string; replacements: readonly TextReplacement[]; searches?: boolean }
  /** An edit whose result only the tool can compute. */
  | { kind: 'change'; paths: readonly string[] }
  /** `unread`: why the patch could not be read. */
  | { kind: 'patch'; files: readonly PatchedFile[]; unread?: string }
  /** `typable`: the agent can type into it while it runs, without an event. */
  | { kind: 'command'; command: string; background: boolean; typable?: boolean }
  | { kind: 'spawn'; type: string }
  /** `talks`: it only sends text, and changes no file that it mentions. `unread`: why its input could not be read. */
  | { kind: 'tool'; name: string; input: unknown; talks?: boolean; unread?: string };

/** The result of starting another agent. */
export interface SpawnOutcome {
  type: string;
  /** Why it failed to start or to finish; undefined if it succeeded or runs in the background. */
  failure: string | undefined;
  /** It runs in the background. */
  background: boolean;
}

interface Common {
  source: HookSource;
}

/** An event that a coding agent reports. */
export type HookEvent = Common &
  /** `fresh`: a new session, not one continued after a compaction. */
  (
    | { type: 'session-began'; fresh?: boolean }
    | { type: 'session-ended' }
    /** `ended`: id of a background agent whose end this prompt reports. */
    | { type: 'prompted'; text: string; byPerson: boolean; ended?: string | undefined }
    /** A tool is about to be used. */
    | { type: 'acting'; action: string; tool: string; request: ToolRequest }
    /** A tool has been used, with or without success. */
    | {
        type: 'acted';
        action: string;
        tookMs: number | undefined;
        spawned?: SpawnOutcome | undefined;
        /** The tool's name, if a person interrupted it. */
        cutShort?: string;
        /** Output of a failed tool. */
        failure?: string;
      }
    /** All tool calls of one reply have ended or were refused. */
    | { type: 'batch-ended'; actions: readonly string[] }
    | { type: 'subagent-began' }
    | {
        type: 'stopping';
        of: 'session' | 'subagent';
        again: boolean;
        said: string;
        /** Ids of agents that still run in the background. */
        background?: readonly string[];
      }
    | { type: 'settings-changed'; path: string | undefined }
    | { type: 'file-changed'; path: string }
    /** An event that GuardKit does not handle. */
    | { type: 'other'; name: string }
  );

export interface HookAnswer {
  decision: 'go' | 'ask' | 'stop';
  /** For the agent: why, and what to do instead. */
  reason?: string;
  /** Further information for the agent. */
  context?: string;
  /** For the person. */
  notice?: string;
  /** Files whose changes the agent's program should report. */
  watch?: readonly string[];
}

export const GO: HookAnswer = { decision: 'go' };
