/** A person's order to work through the features, as they type it into the agent's program. */
export interface RunPrompt {
  /** It came with the plugin, whose agents carry its name. */
  prefix: '' | 'guardkit:';
  maxFeatures: number | null;
  /** What is to be built, in their words, or the path of a file that says it. */
  brief: string;
}

const ORDER = /^\/(guardkit:)?guardkit-run(?=\s|$)/;
const COUNT = /^([1-9]\d{0,3})(?=\s|$)/;
const MAX_BRIEF = 20_000;

/** Undefined for everything else that a person says. */
export function readRunPrompt(text: string): RunPrompt | undefined {
  const words = text.trimStart();
  const order = ORDER.exec(words);
  if (!order) return undefined;
  const rest = words.slice(order[0].length).trim();
  const count = COUNT.exec(rest);
  return {
    prefix: order[1] === undefined ? '' : 'guardkit:',
    maxFeatures: count ? Number(count[1]) : null,
    brief: rest
      .slice(count?.[0].length ?? 0)
      .trim()
      .slice(0, MAX_BRIEF),
  };
}
