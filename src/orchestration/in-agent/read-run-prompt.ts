/** A person's `/guardkit-run` prompt. */
export interface RunPrompt {
  /** `guardkit:` if the command comes from the plugin, whose agents have that prefix. */
  prefix: '' | 'guardkit:';
  maxFeatures: number | null;
  /** What to build, as text or a file's path. */
  brief: string;
}

const ORDER = /^\/(guardkit:)?guardkit-run(?=\s|$)/;
const COUNT = /^([1-9]\d{0,3})(?=\s|$)/;
const MAX_BRIEF = 20_000;

/** Undefined for any other prompt. */
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
