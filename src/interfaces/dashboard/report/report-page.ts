import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../../enforcement/install/own-package.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { VERSION } from '../../../version.ts';

export interface ReportData {
  project: string;
  /** The first page. */
  start: string;
  /** Answers of the API by key. */
  answers: Record<string, unknown>;
}

/** One HTML file with everything in it. Only our script and style run, by hash; it can load and send nothing. */
export function reportPage({ project, start, answers }: ReportData): string {
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
