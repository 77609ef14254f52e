import type { MessagesRequest, Reply, Script } from '../support/messages-server.ts';

export type Role = 'Initializer' | 'Planner' | 'Player' | 'Coach';

/** The replies of one run, from its prompt to its answer. */
export type Plays = Partial<Record<`${Role} ${number}`, readonly Reply[]>>;

/** An agent's request: its role, its turn, and the messages of this run so far. */
export interface Asked {
  who: keyof Plays;
  prompt: string;
  /** Replies since the prompt. */
  step: number;
  request: MessagesRequest;
}

/** The replies of all agents of a build. They are recognized by their prompts, so a repeated request gets the same reply. */
export class ScriptedAgents {
  readonly asked: Asked[] = [];
  /** Requests without a scripted reply. */
  readonly unexpected: string[] = [];
  readonly #plays: Plays;

  constructor(plays: Plays) {
    this.#plays = plays;
  }

  readonly script: Script = (request) => {
    const asked = readAsked(request);
    const reply = asked && this.#plays[asked.who]?.[asked.step];
    if (asked) this.asked.push(asked);
    if (reply) return reply;
    this.unexpected.push(asked ? `${asked.who}, step ${asked.step}` : JSON.stringify(request.messages));
    return { content: [{ type: 'text', text: 'I have nothing to say.' }] };
  };

  /** The first request of a run. */
  first(who: keyof Plays): Asked {
    return this.#at(who, 0);
  }

  /** The result of this step's tool. */
  toolResult(who: keyof Plays, step: number): string {
    const { content = '' } = this.#at(who, step + 1).request.messages.findLast(isOfTools) ?? {};
    return JSON.stringify(content);
  }

  #at(who: keyof Plays, step: number): Asked {
    const found = this.asked.find((one) => one.who === who && one.step === step);
    if (!found) throw new Error(`${who} came to no step ${step}: ${this.asked.map((one) => one.who)}`);
    return found;
  }
}

type Message = MessagesRequest['messages'][number];

function readAsked(request: MessagesRequest): Asked | undefined {
  const { messages } = request;
  const at = messages.findLastIndex((message) => message.role === 'user' && roleIn(textOf(message)));
  const message = messages[at];
  if (!message) return undefined;
  const prompt = textOf(message);
  // A planner plans for the first turn; a Coach's prompt names the turn before its own.
  const turn = Math.max(
    1,
    ...[...prompt.matchAll(/\bTurn (\d+) of \d/g)].map(([, number]) => Number(number)),
  );
  const step = messages.slice(at).filter(({ role }) => role === 'assistant').length;
  return { who: `${roleIn(prompt) as Role} ${turn}`, prompt, step, request };
}

function roleIn(text: string): string | undefined {
  return /^## Your Role: (Initializer|Planner|Player|Coach)$/m.exec(text)?.[1];
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

function isOfTools({ content }: Message): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_result');
}
