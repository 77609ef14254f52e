import { z } from 'zod';
import { describeIssues } from '../domain/describe-issues.ts';
import type { EntityRegistry } from '../domain/entity-type.ts';
import { edgeSchema, episodeSchema } from '../domain/episode.ts';
import { GuardKitError } from '../guardkit-error.ts';
import type { ExportRecord } from './episode-store.ts';
import { prepareEpisode } from './prepare-episode.ts';

const FORMAT_VERSION = 1;

const headerSchema = z.strictObject({ kind: z.literal('guardkit-export'), version: z.int() });
const recordSchema = z.discriminatedUnion('kind', [
  episodeSchema.extend({ kind: z.literal('episode') }),
  edgeSchema.extend({ kind: z.literal('edge') }),
]);

export function exportHeader(): z.infer<typeof headerSchema> {
  return { kind: 'guardkit-export', version: FORMAT_VERSION };
}

/** The records of an export file. One bad line refuses the file: the first is named with what is wrong with it. */
export function parseExport(text: string, file: string, registry: EntityRegistry): ExportRecord[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const [header, ...records] = lines.filter(({ line }) => line !== '');
  if (!header) throw malformed(file, 1, 'the file is empty');
  checkHeader(header.line, file);
  return records.map(({ line, number }) => {
    try {
      return parseRecord(line, registry);
    } catch (error) {
      throw malformed(file, number, error instanceof Error ? error.message : String(error));
    }
  });
}

function checkHeader(line: string, file: string): void {
  const parsed = headerSchema.safeParse(parseJson(line));
  if (!parsed.success) throw malformed(file, 1, 'this is not the first line of a guardkit export');
  if (parsed.data.version > FORMAT_VERSION) {
    throw malformed(
      file,
      1,
      `the export has format version ${parsed.data.version}; this guardkit reads up to ${FORMAT_VERSION}`,
    );
  }
}

function parseRecord(line: string, registry: EntityRegistry): ExportRecord {
  const value = parseJson(line);
  if (value === undefined) throw new Error('this is not JSON');
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) throw new Error(describeIssues(parsed.error));
  const record = parsed.data;
  if (record.kind === 'edge') return record;
  // Checked here as well as in the store, which no longer knows the line.
  prepareEpisode(record, registry);
  return record;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Safe: undefined is no JSON value, and every caller refuses it.
    return undefined;
  }
}

function malformed(file: string, line: number, what: string): GuardKitError {
  return new GuardKitError({
    code: 'import.malformed',
    kind: 'input',
    message: `${file}, line ${line}: ${what}`,
    hint: 'Nothing was imported. Correct that line, or export again.',
  });
}
