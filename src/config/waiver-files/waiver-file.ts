import * as z from 'zod';
import { readYamlText, requireValid } from '../yaml/yaml-file.ts';

/** A person's permission, on the protected branch, for branches to change how work is judged. */
export const WAIVERS_FOLDER = '.guardkit/waivers';

export const waiverFileSchema = z.strictObject({
  /** Globs of the files that branches may change. */
  paths: z.array(z.string().trim().min(1).max(200)).min(1).max(50),
  reason: z.string().trim().min(1).max(500),
  /** The last day on which it is valid, in UTC. */
  until: z.iso.date('expected a date such as 2027-01-31'),
  /** Who permits it. */
  by: z.string().trim().min(1).max(200),
});

export interface BranchWaiver extends z.infer<typeof waiverFileSchema> {
  /** Relative to the project. */
  file: string;
}

export function isWaiverFile(path: string): boolean {
  return /^\.guardkit\/waivers\/[^/.][^/]*\.ya?ml$/s.test(path);
}

/** Reads a waiver; throws its faults with line and column. */
export async function readWaiver(file: string, text: string): Promise<BranchWaiver> {
  return { file, ...requireValid(await readYamlText(file, text, waiverFileSchema)) };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Valid until the end of its last day. */
export function isExpired({ until }: Pick<BranchWaiver, 'until'>, now: number): boolean {
  return Date.parse(`${until}T00:00:00Z`) + DAY_MS <= now;
}
