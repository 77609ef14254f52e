/** Who told of an event, and where. */
export interface HookSource {
  /** The coding agent's program. */
  agent: string;
  session: string;
  /** Folder the agent works in at this moment. */
  cwd: string;
  /** The kind of the subagent; undefined for the agent that talks to a person. */
  actorType: string | undefined;
  actorId: string | undefined;
  /** A person sits at the agent's permission prompt. */
  canAsk: boolean;
}

export interface TextReplacement {
  old: string;
  new: string;
  all: boolean;
}

/** What a tool is asked to do, in no agent's own words. */
export type ToolRequest =
  | { kind: 'read'; paths: readonly string[]; whole: boolean }
  | { kind: 'write'; path: string; content: string }
  | { kind: 'replace'; path: string; replacements: readonly TextReplacement[] }
  /** A file is changed in a way whose outcome only the tool knows. */
  | { kind: 'change'; paths: readonly string[] }
  | { kind: 'command'; command: string; background: boolean }
  | { kind: 'spawn'; type: string }
  /** One that only talks changes no file, whatever it names. */
  | { kind: 'tool'; name: string; input: unknown; talks?: boolean };

/** What came of the start of another agent. */
export interface SpawnOutcome {
  type: string;
  /** Why it could not be started, or broke off; undefined where it ran, or goes on in the background. */
  failure: string | undefined;
  /** It goes on while the one that started it does something else. */
  background: boolean;
}

interface Common {
  source: HookSource;
}

/** What a coding agent tells GuardKit of its doings. */
export type HookEvent = Common &
  /** Fresh where its program was started for it, so that nothing of before goes on. */
  (
    | { type: 'session-began'; fresh?: boolean }
    | { type: 'session-ended' }
    /** Where its program tells of the end of an agent in the background, `ended` is that agent's id. */
    | { type: 'prompted'; text: string; byPerson: boolean; ended?: string | undefined }
    /** A tool is about to be used. */
    | { type: 'acting'; action: string; tool: string; request: ToolRequest }
    /** A tool has been used, with or without success. */
    | {
        type: 'acted';
        action: string;
        tookMs: number | undefined;
        spawned?: SpawnOutcome | undefined;
        /** The tool, where a person cut it short. */
        cutShort?: string;
        /** What a tool that failed printed. */
        failure?: string;
      }
    /** All tools of one answer have been used or refused. */
    | { type: 'batch-ended'; actions: readonly string[] }
    | { type: 'subagent-began' }
    | {
        type: 'stopping';
        of: 'session' | 'subagent';
        again: boolean;
        said: string;
        /** Ids of agents that go on in the background. */
        background?: readonly string[];
      }
    | { type: 'settings-changed'; path: string | undefined }
    | { type: 'file-changed'; path: string }
    /** Nothing that GuardKit has a say in. */
    | { type: 'other'; name: string }
  );

/** What GuardKit says to it. */
export interface HookAnswer {
  decision: 'go' | 'ask' | 'stop';
  /** Why, and what to do instead: for the agent. */
  reason?: string;
  /** What the agent should know beside. */
  context?: string;
  /** What the person should know. */
  notice?: string;
  /** Files whose changes the agent's program should tell of. */
  watch?: readonly string[];
}

export const GO: HookAnswer = { decision: 'go' };
