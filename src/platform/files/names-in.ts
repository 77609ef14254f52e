import { readdirSync } from 'node:fs';

/** The names in a folder; none if it cannot be read. Only where the caller has a reason why that is safe. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Safe: see the callers.
    return [];
  }
}
