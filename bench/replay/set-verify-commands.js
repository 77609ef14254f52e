import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

export function testCommandOf(folder) {
  const text = readFileSync(join(folder, '.guardkit', 'config.yaml'), 'utf8');
  return parseDocument(text).getIn(['verify', 'tests', 'command']);
}

/** Writes the contributors' commands into the configuration, as a person does after `guardkit init`. */
export function setVerifyCommands(folder, { test, coverage }, setup) {
  const file = join(folder, '.guardkit', 'config.yaml');
  const document = parseDocument(readFileSync(file, 'utf8'));
  if (setup !== undefined && !document.hasIn(['verify', 'setup'])) document.setIn(['verify', 'setup'], setup);
  document.setIn(['verify', 'tests', 'command'], test);
  if (coverage === undefined) document.deleteIn(['verify', 'coverage']);
  else document.setIn(['verify', 'coverage'], document.createNode(coverage));
  writeFileSync(file, document.toString());
}

/** Removes the coverage command from the configuration, to measure the cost of coverage. */
export function setCoverageOff(folder) {
  const file = join(folder, '.guardkit', 'config.yaml');
  const document = parseDocument(readFileSync(file, 'utf8'));
  document.deleteIn(['verify', 'coverage']);
  writeFileSync(file, document.toString());
  const gates =
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [1, 10], coverage_required: false}\n';
  writeFileSync(join(folder, '.guardkit', 'config', 'quality-gates.yaml'), gates);
}
