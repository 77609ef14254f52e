import {
  isFlag,
  isListOf,
  isNumber,
  isShape,
  isText,
  isTextOf,
  orNothing,
} from '../../domain/json/plain-shape.ts';
import type { ToolRequest } from '../hooks/hook-event.ts';
import { maybeText } from './payload-shapes.ts';

/** The tools that Gemini CLI and Qwen Code, which began as a copy of it, have in common. */

const maybeNumber = (value: unknown): value is number | null | undefined =>
  value === null || value === undefined || isNumber(value);

const isCommand = isShape({ command: isText, is_background: orNothing(isFlag) });
const isPlaced = isShape({ dir_path: isTextOf(1) });
const isPlacedIn = isShape({ directory: isTextOf(1) });
const isWrite = isShape({ file_path: isText, content: isText });
const isReplace = isShape({
  file_path: isText,
  old_string: isText,
  new_string: isText,
  allow_multiple: orNothing(isFlag),
  expected_replacements: orNothing(isNumber),
  replace_all: orNothing(isFlag),
});
const isRead = isShape({
  file_path: isText,
  limit: maybeNumber,
  offset: maybeNumber,
  start_line: maybeNumber,
  end_line: maybeNumber,
});
const isSearch = isShape({ dir_path: maybeText, path: maybeText });
const isReadMany = isShape({ include: isListOf(isText) });

/** The folder that a command runs in, if it is another one than the session's. */
export function commandFolder(input: unknown): string | undefined {
  if (isPlaced(input)) return input.dir_path;
  return isPlacedIn(input) ? input.directory : undefined;
}

/** Undefined for other tools, and for unexpected input. */
export function sharedTool(name: string, input: unknown): ToolRequest | undefined {
  switch (name) {
    case 'run_shell_command':
      if (!isCommand(input)) return undefined;
      return { kind: 'command', command: input.command, background: input.is_background ?? false };
    case 'write_file':
      return isWrite(input) ? { kind: 'write', path: input.file_path, content: input.content } : undefined;
    case 'replace':
    case 'edit': {
      if (!isReplace(input)) return undefined;
      const { file_path: path, old_string, new_string, expected_replacements = 1 } = input;
      const all = input.allow_multiple || input.replace_all || expected_replacements > 1;
      return { kind: 'replace', path, replacements: [{ old: old_string, new: new_string, all }] };
    }
    case 'read_file': {
      if (!isRead(input)) return undefined;
      const { file_path, limit, offset, start_line, end_line } = input;
      const whole = (limit ?? offset ?? start_line ?? end_line ?? undefined) === undefined;
      return { kind: 'read', paths: [file_path], whole };
    }
    case 'read_many_files':
      return isReadMany(input) ? { kind: 'read', paths: input.include, whole: true } : undefined;
    case 'list_directory':
    case 'glob':
    case 'grep_search':
    case 'search_file_content':
      return isSearch(input)
        ? { kind: 'read', paths: [input.dir_path ?? input.path ?? '.'], whole: false }
        : undefined;
    default:
      return undefined;
  }
}
