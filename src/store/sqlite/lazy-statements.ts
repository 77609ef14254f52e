/** Makes each of them when it is first used: a process that lives for one answer uses few, and each takes its time. */
export function lazyStatements<Statements extends Readonly<Record<string, unknown>>>(
  makers: {
    readonly [Name in keyof Statements]: () => Statements[Name];
  },
): Statements {
  const statements = {} as Statements;
  for (const name of Object.keys(makers) as (keyof Statements)[]) {
    Object.defineProperty(statements, name, {
      configurable: true,
      get: () => {
        const value = makers[name]();
        Object.defineProperty(statements, name, { value });
        return value;
      },
    });
  }
  return statements;
}
