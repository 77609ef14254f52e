import { looksLikePath } from '../resolve-path.ts';
import { HOLE } from '../words/field.ts';
import { type Call, use } from './call.ts';

/** Of a program that nothing is known about, every word that looks like a path is a mention. */
export function runUnknown(call: Call): string {
  for (const field of call.args) {
    call.shell.findings.literal(field.text);
    const equals = field.text.indexOf('=');
    const value = equals === -1 ? field.text : field.text.slice(equals + 1);
    const attached = /^-[A-Za-z](?=[./~])/.test(field.text) ? field.text.slice(2) : value;
    // Tools name a place in a file, or a file at a revision, after a colon.
    const pieces = attached.includes(':') ? [attached, ...attached.split(':', 4)] : [attached];
    for (const piece of pieces)
      if (looksLikePath(piece)) use(call, 'mention', { text: piece, glob: field.glob });
  }
  return HOLE;
}
