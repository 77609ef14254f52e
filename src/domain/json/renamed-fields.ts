/** Fields that have another name now, by the one that they had when it was written. */
export type RenamedFields = Readonly<Record<string, string>>;

/** A body as it would be written today. One that has no field by an old name is given back as it is. */
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
