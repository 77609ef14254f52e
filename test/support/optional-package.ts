/** A package that only checks our output, or the reason why it is not here: tests that need it skip by that name. */
export async function optionalPackage(name: string): Promise<{ module: unknown } | { why: string }> {
  try {
    return { module: await import(name) };
  } catch {
    return { why: `the package ${name} is not installed` };
  }
}
