import type { Invocation } from './command/command-analysis.ts';

/**
 * Programs whose file changes the analysis finds completely: everything else that they do is reading or printing.
 */
const UNDERSTOOD: ReadonlySet<string> = new Set(
  `: [ [[ ack ag alias awk basename bat cat cd chmod chown cksum cmp column comm command cp cut date dd declare df diff
  dir dirname du echo egrep env exit export expr false fd fgrep file find fmt fold gawk git grep guardkit gh head hexdump
  id install join jq less let ln local ls lsof mawk md5sum mkdir mktemp more mv nl od paste popd printenv printf ps
  pushd pwd read readlink readonly realpath return rev rg rm rmdir rsync sed seq set sha1sum sha256sum sha512sum shift
  sleep sort split stat strings sum tac tail tar tee test touch tr tree true truncate type uname uniq unset wait wc
  which who whoami xxd yes zcat zgrep`
    .split(/\s+/)
    .filter(Boolean),
);

const INTERPRETER =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby[\d.]*|perl[\d.]*|php[\d.]*|lua[\d.]*|luajit|Rscript|osascript|tclsh|jshell|groovy|awk|gawk|sqlite3|duckdb|psql)$/;

export function isUnderstood({ program }: Pick<Invocation, 'program'>): boolean {
  return UNDERSTOOD.has(program);
}

export function isInterpreter({ program }: Pick<Invocation, 'program'>): boolean {
  return INTERPRETER.test(program);
}

/** Code that writes only to its own output. */
const PRINTING =
  /(?:std(?:out|err)|STDOUT|STDERR|\$std(?:out|err)|console)\s{0,3}\.\s{0,3}(?:write|buffer\.write)/g;

/** Code in common one-liner languages that writes, moves, removes or starts something, or may hide that it does. */
const WRITING =
  /writ|append|put_contents|fputs|dump\(|truncat|unlink|rmtree|\brm(?:Sync)?\b|\brmdir|remov|renam|os\.replace|copy|\bcp(?:Sync)?\(|\bmove|shutil|link(?:Sync|_to)?\(|chmod|\butime|touch\(|creat|open(?:Sync)?\([^)]{0,300},\s{0,5}(?:mode\s{0,3}=\s{0,3})?[rbf]?['"`](?:[rbt]{0,2}[wax+]|[>+])|['"`]\s{0,3}\+?>{1,2}|\bopen\b[^;]{0,100}['"`]?[>]|sponge|system|spawn|popen|subprocess|child_process|exec|`[^`]{0,300}\b(?:sed|tee|mv|cp)\b|eval|Function\(|__import__|getattr|globals|fromCharCode|b64|base64|atob|unhex|fromhex|codecs|chr\(|pack\(|\\x[0-9a-f]{2}|\\u00|update\s|insert\s|delete\s|dlopen|ctypes|\bin_?place|-i\b/i;

/** Whether an interpreter's one-liner may do more than read and print, judging by its text. */
export function mayWrite({ argv, stdin }: Pick<Invocation, 'argv' | 'stdin'>): boolean {
  const code = [...argv.slice(1), stdin ?? ''].join('\n').slice(0, MAX_CODE);
  return WRITING.test(code.replace(PRINTING, ''));
}

const MAX_CODE = 100_000;

/** Options that commonly make a program write its input files. */
const WRITING_OPTION =
  /^(?:-i|-w|-o|--in-?place|--write|--fix|--output|--out|--save|--overwrite|--apply|--update|-u|--patch|--edit|--replace|--delete|--remove|--force)(?:$|[=.])/;
const CHECKING_OPTION = /^(?:--check|--dry-run|--list-different|--diff|--validate|--verify|-n|--noEmit)$/;

export function hasWritingOption({ argv }: Pick<Invocation, 'argv'>): boolean {
  return argv.some((word) => WRITING_OPTION.test(word));
}

export function onlyChecks(invocation: Pick<Invocation, 'argv'>): boolean {
  return invocation.argv.some((word) => CHECKING_OPTION.test(word)) && !hasWritingOption(invocation);
}
