import type { FilePart } from './build-files.ts';
import { REGISTERED } from './harness-part.ts';

const TEST_FOLDER = /(?:^|\/)(?:tests?|testing|unit-?tests?|specs?)\//i;
/** Outside of a test folder, lines that decide whether and how tests are built and run. */
const ABOUT_TESTS = /test|return\s*\(|subdir_done|NDEBUG|\bif\s*\(\s*(?:FALSE|OFF|NO|0)\b/i;
const REGISTERS =
  /^(?:(?:add_test|add_executable|target_link_libraries|gtest_discover_tests)\s*\([^()]*\)|test\s*\(.*\),?)$/;
const LIST_ITEM = /^[\w./'"-]{1,200},?$/;

/** Whether it is a build file of CMake or Meson. */
export function isNativeBuild(name: string): boolean {
  return name === 'CMakeLists.txt' || name === 'meson.build' || name.endsWith('.cmake');
}

/** The lines of a build file about tests. A new line that only registers a test is a part of its own. */
export function nativeBuildParts(path: string, text: string): FilePart[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replace(/#(?!\[).*$/, '').trim())
    .filter((line) => line !== '' && (TEST_FOLDER.test(path) || ABOUT_TESTS.test(line)));
  const added = lines.filter(registers);
  const others = lines.filter((line) => !registers(line));
  return [
    ...added.map((line) => ({ part: `${REGISTERED}${line}`, text: line })),
    ...(others.length === 0 ? [] : [{ part: 'lines about tests', text: others.join('\n') }]),
  ];
}

/** A statement that adds a test or its program, or an item of a list; settings of tests are in upper case. */
function registers(line: string): boolean {
  return REGISTERS.test(line) || (LIST_ITEM.test(line) && /[a-z]/.test(line));
}
