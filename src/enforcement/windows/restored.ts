/** Something that an agent changed and that is, or could not be made, as it was before. */
export interface Restored {
  /** As people are shown it. */
  path: string;
  /** What was done, in words that follow the path: `was changed`. */
  how: string;
  /** The copy of what was found, as an absolute path; undefined where there was nothing to copy. */
  copy: string | undefined;
  /** A person can have what was found back. */
  recoverable: boolean;
  /** Undefined where it is as it was. */
  failure: string | undefined;
  session: string;
  agent: string;
  agentType: string | undefined;
  /** The agent's own id of the action in which it was found. */
  action: string;
  /** More than one thing went on, so that another one may have done it. */
  uncertain: boolean;
}

/** What came of looking at the watched files. */
export interface WindowResult {
  restored: Restored[];
  /** For the person. */
  notices: string[];
  /** There was more than is put back in one go: the rest is still the agent's. */
  unfinished?: boolean;
}

export function allOf(results: readonly WindowResult[]): WindowResult {
  return {
    restored: results.flatMap(({ restored }) => restored),
    notices: results.flatMap(({ notices }) => notices),
  };
}

/** Nobody reads more lines of it; all of them are on record. */
const MAX_TOLD = 40;

export const NOTHING_RESTORED: WindowResult = { restored: [], notices: [] };

/** For the agent: what it did, and what to do instead. Empty where there is nothing to say. */
export function tellAgent(restored: readonly Restored[]): string {
  if (restored.length === 0) return '';
  const lines = restored.slice(0, MAX_TOLD).map(({ path, how, failure }) => {
    const end = failure === undefined ? 'and is put back as it was' : `and could not be put back: ${failure}`;
    return `- ${path} ${how}, ${end}`;
  });
  if (restored.length > MAX_TOLD) lines.push(`- and ${restored.length - MAX_TOLD} more`);
  return [
    'GuardKit: files that only a person may change were changed while you acted.',
    ...lines,
    'This is on record. Go on without changing them; if one has to change, say which and why, and a person will do it.',
  ].join('\n');
}

/** For the person: the same, and the way out if it was their own doing. */
export function tellPerson(restored: readonly Restored[]): string[] {
  const lines = restored.slice(0, MAX_TOLD).map((one) => {
    const { path, how, copy, recoverable, failure, agent, session, uncertain } = one;
    const who = `${agent} ${session.slice(0, 8)}`;
    const did = failure === undefined ? 'It was put back.' : `It could not be put back: ${failure}`;
    const maybe = uncertain ? ' (several actions went on at once)' : '';
    const from = copy === undefined ? '' : ` from ${copy}`;
    const yours = recoverable
      ? `If it was you: \`guardkit accept --restore ${path}\` makes it yours again${from}.`
      : 'If it was you: change it again while no agent acts.';
    return `GuardKit: ${path} ${how} during an action of ${who}${maybe}. ${did} ${yours}`;
  });
  if (restored.length > MAX_TOLD)
    lines.push(`GuardKit: the same holds for ${restored.length - MAX_TOLD} more, which are on record.`);
  return lines;
}
