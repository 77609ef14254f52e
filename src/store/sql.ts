/** A piece of SQL with a `?` for each of its values. */
export interface Sql<Value> {
  text: string;
  values: Value[];
}

export function joinSql<Value>(parts: readonly Sql<Value>[], separator = ' '): Sql<Value> {
  return {
    text: parts.map((part) => part.text).join(separator),
    values: parts.flatMap((part) => part.values),
  };
}
