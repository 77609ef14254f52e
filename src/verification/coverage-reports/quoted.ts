const MAX_SHOWN = 200;

/** A name from a report, as a message may show it: bounded and on one line. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name);
}
