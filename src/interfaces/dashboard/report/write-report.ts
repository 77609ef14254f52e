import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../../enforcement/install/own-package.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import { VERSION } from '../../../version.ts';
import { type RunCommand, readContext } from '../answer-reads.ts';
import { answerRead } from '../api/answer-read.ts';
import { featureAnswerSchema } from '../api/feature-schema.ts';
import type { ReadContext } from '../api/read-context.ts';
import { diffSchema, featuresSchema } from '../api/schemas.ts';
import { ciReportSchema } from './ci-report-schema.ts';

const MAX_FEATURES = 200;
/** Of all diffs together; files beyond it are listed without their lines. */
const MAX_DIFF_CHARACTERS = 5_000_000;

export interface ReportAsked {
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  /** Where to write `guardkit-report.html`. */
  folder: string;
  project: string;
  /** Default: every feature that was built. */
  features: readonly string[];
  run: RunCommand;
}

/** Writes the state of a project's features into one file that needs no server. Returns its path. */
export async function writeReport({
  dataFolder,
  env,
  folder,
  project,
  features,
  run,
}: ReportAsked): Promise<string> {
  const context = readContext(dataFolder, run, env);
  try {
    const reads = new Reads(context, project);
    const listed = featuresSchema.parse(await reads.read('features', {})).features;
    const known =
      features.length > 0 ? features : listed.filter(({ last_build }) => last_build).map(({ id }) => id);
    const shown = known.slice(0, MAX_FEATURES);
    for (const id of shown) await reads.feature(id);
    const [only] = shown;
    const start = shown.length === 1 && only !== undefined ? `feature/${only}` : 'features';
    return write(folder, { project, start, answers: reads.answers });
  } finally {
    await context.close();
  }
}

/** The result of `guardkit ci`, as its `--json` prints it. */
export function writeCiReport({
  folder,
  project,
  result,
}: {
  folder: string;
  project: string;
  result: unknown;
}): string {
  return write(folder, { project, start: 'ci', answers: { ci: ciReportSchema.parse(result) } });
}

function write(folder: string, data: Parameters<typeof reportPage>[0]): string {
  const file = join(folder, 'guardkit-report.html');
  const page = reportPage(data);
  if (!existsSync(folder)) makeFolder(folder, 0o755);
  writeFileAtomic(file, page, 0o644);
  return file;
}

/** Answers of the API, by the keys under which the page looks for them. */
class Reads {
  readonly answers: Record<string, unknown> = {};
  readonly #context: ReadContext;
  readonly #project: string;
  #left = MAX_DIFF_CHARACTERS;

  constructor(context: ReadContext, project: string) {
    this.#context = context;
    this.#project = project;
  }

  async read(name: string, own: Record<string, string>): Promise<unknown> {
    const parameters = { project: this.#project, ...own };
    const { status, body } = await answerRead({ name, parameters }, this.#context);
    const answer = JSON.parse(body);
    if (status !== 200)
      throw new GuardKitError({ ...answer.error, kind: status < 500 ? 'input' : 'outside' });
    this.answers[readKey(name, parameters)] = answer;
    return answer;
  }

  async feature(id: string): Promise<void> {
    const { tasks } = featureAnswerSchema.parse(await this.read('feature', { id }));
    for (const task of tasks)
      for (const { turn_number } of task.turns)
        await this.#turn({ feature: id, task: task.id, turn: String(turn_number) });
  }

  /** A turn that was cut off may have neither. */
  async #turn(turn: Record<string, string>): Promise<void> {
    try {
      await this.read('checks', turn);
      const { files } = diffSchema.parse(await this.read('diff', turn));
      for (const { path, folded } of files) {
        if (folded || this.#left <= 0) continue;
        const { text } = diffSchema.parse(await this.read('diff', { ...turn, file: path }));
        this.#left -= text?.length ?? 0;
      }
    } catch (error) {
      if (!(error instanceof GuardKitError)) throw error;
    }
  }
}

/** As `readKey` in dashboard/report.ts. */
function readKey(name: string, parameters: Readonly<Record<string, string>>): string {
  return `${name}?${new URLSearchParams(Object.entries(parameters).sort())}`;
}

export interface ReportData {
  project: string;
  /** The first page. */
  start: string;
  /** Answers of the API by key. */
  answers: Record<string, unknown>;
}

/** One HTML file with everything in it. Only our script and style run, by hash; it can load and send nothing. */
function reportPage({ project, start, answers }: ReportData): string {
  const [script, style] = [asset('app.js'), asset('style.css')];
  const csp = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const data = { at: new Date().toISOString(), version: VERSION, project, start, answers };
  // The parser of HTML looks for tags in data too.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>GuardKit report</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This report needs JavaScript. It loads nothing from elsewhere.</noscript>
<script type="application/json" id="guardkit-report">${json}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** A built file that may be put between tags. */
function asset(name: string): string {
  const file = join(packageFolder(), 'dist', 'dashboard', name);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (text !== undefined && !/<\/(?:script|style)/i.test(text)) return text;
  throw new GuardKitError({
    code: 'dashboard.not-built',
    kind: 'outside',
    message: `${file} is missing or unusable.`,
    hint: 'Reinstall guardkit.',
  });
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
