import { isListOf, isNumber, isShape, isText, own } from '../../domain/json/plain-shape.ts';
import type { ToolRequest } from '../hooks/hook-event.ts';
import { isOn, maybeText } from './payload-shapes.ts';
import { unclearEdit, unreadTool } from './shared-answers.ts';

/** The tools that Gemini CLI and Qwen Code, which began as a copy of it, have in common. */

const maybeNumber = (value: unknown): value is number | null | undefined =>
  value === null || value === undefined || isNumber(value);

const isCommand = isShape({ command: isText });
const isWrite = isShape({ file_path: isText, content: isText });
const isReplace = isShape({ file_path: isText, old_string: isText, new_string: isText });
const isRead = isShape({
  file_path: isText,
  limit: maybeNumber,
  offset: maybeNumber,
  start_line: maybeNumber,
  end_line: maybeNumber,
});
const isSearch = isShape({ dir_path: maybeText, path: maybeText });
const isReadMany = isShape({ include: isListOf(isText) });

const ALL_FLAGS = ['allow_multiple', 'replace_all'];

/** Undefined for other tools, and for unexpected input of a tool that only reads. */
export function sharedTool(name: string, input: unknown): ToolRequest | undefined {
  switch (name) {
    case 'run_shell_command':
      return isCommand(input)
        ? { kind: 'command', command: input.command, background: isOn(own(input, 'is_background')) }
        : unreadTool(name, input);
    case 'write_file':
      return isWrite(input)
        ? { kind: 'write', path: input.file_path, content: input.content }
        : unclearEdit(name, input, 'file_path');
    case 'replace':
    case 'edit': {
      if (!isReplace(input)) return unclearEdit(name, input, 'file_path');
      const { file_path: path, old_string, new_string } = input;
      const count = own(input, 'expected_replacements') ?? 1;
      const all = count !== 1 || ALL_FLAGS.some((flag) => isOn(own(input, flag)));
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
