/** New field names by old ones. */
export type RenamedFields = Readonly<Record<string, string>>;

/** Renames old fields. Returns the same body if it has none. */
export function withNewNames<Body extends Record<string, unknown>>(
  body: Body,
  renamed: RenamedFields | undefined,
): Body {
  if (renamed === undefined) return body;
  for (const [old, name] of Object.entries(renamed)) {
    if (!Object.hasOwn(body, old) || Object.hasOwn(body, name)) continue;
    const { [old]: value, ...rest } = body;
    return withNewNames({ ...rest, [name]: value } as Body, renamed);
  }
  return body;
}
