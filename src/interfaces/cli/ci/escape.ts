import { printable } from '../output/printable.ts';

// Everything shown here may come from the branch, which is hostile: names, messages, test output.

/** Text in Markdown that is only text: every character with a meaning becomes a reference. */
export function markdownText(text: string): string {
  return oneLine(text).replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text between `<pre>` tags. */
export function htmlText(text: string): string {
  return printable(text).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A line for a log in which GitHub runs lines such as `::error::` and `##[command]`. */
export function plainLog(text: string): string {
  return printable(text)
    .replace(/^(\s*):(?=:)/gm, '$1: ')
    .replaceAll('##[', '## [');
}

/** The message of a workflow command. */
export function commandMessage(text: string): string {
  return printable(text)
    .replaceAll('##[', '## [')
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

/** A property of a workflow command. */
export function commandProperty(text: string): string {
  return commandMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Text or an attribute in XML. */
export function xmlText(text: string): string {
  return printable(text)
    .replace(/[\ufffe\uffff]/g, '�')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}
