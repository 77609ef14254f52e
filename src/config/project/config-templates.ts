import type { VerifyConfig } from './verify-config.ts';

/** Editors with the YAML language server complete and validate with this schema. */
function schemaLine(path: string): string {
  return `# yaml-language-server: $schema=${path}\n`;
}

/** A JSON string is also a YAML string. */
const quoted = (text: string) => JSON.stringify(text);

export function configTemplate(project: string, section: VerifySection | undefined): string {
  return `${schemaLine('./schemas/config.schema.json')}# How GuardKit works on this project. Commit this file.

# Memory and evidence are stored under this id; keep it the same in every clone and worktree.
project: ${quoted(project)}

${section ? verifyTemplate(section) : VERIFY_EXAMPLE}
# store:
#   url: postgres://host/database      # for a team; put the password in GUARDKIT_DATABASE_URL
# embeddings:
#   baseUrl: http://127.0.0.1:11434/v1 # any OpenAI-compatible endpoint
#   model: nomic-embed-text
# retention:
#   turns_per_feature: 50
#   turns_per_project: 200
# protected:                           # in addition to the built-in list
#   - infra/
# guards:                              # enforce, warn, shadow or off; see guardkit guard list
#   enforce-mcp-logs: {mode: warn, sessions: all}
`;
}

/** Commands to write into a configuration. */
export interface VerifySection {
  /** Active. */
  verify?: VerifyConfig;
  /** Written as comments, because they did not work. */
  inactive?: VerifyConfig;
  /** Comments above them. */
  remarks?: readonly string[];
}

const VERIFY_COMMENT = '# The commands that GuardKit runs to verify changes.';

export function verifyTemplate({ verify, inactive, remarks = [] }: VerifySection): string {
  const active = verify ? configLines(verify) : [];
  const others = inactive ? configLines(inactive).slice(active.length > 0 ? 1 : 0) : [];
  return `${[
    VERIFY_COMMENT,
    ...active,
    ...remarks.map((line) => `# ${line}`),
    ...others.map((line) => `# ${line}`),
  ].join('\n')}\n`;
}

/** These commands as lines of the configuration. */
export function configLines({ setup, tests, coverage }: VerifyConfig): string[] {
  const lines = ['verify:'];
  if (typeof setup === 'string') lines.push(`  setup: ${quoted(setup)}`);
  if (tests) lines.push('  tests:', `    command: ${quoted(tests.command)}`);
  if (tests?.report) lines.push(`    report: ${quoted(tests.report)}`);
  if (tests?.packages) lines.push(`    packages: ${tests.packages}`);
  if (coverage) lines.push('  coverage:');
  if (coverage?.command) lines.push(`    command: ${quoted(coverage.command)}`);
  const report = coverage?.report;
  if (typeof report === 'string') lines.push(`    report: ${quoted(report)}`);
  else if (report) lines.push('    report:', ...report.map((one) => `      - ${quoted(one)}`));
  return lines;
}

const VERIFY_EXAMPLE = `# The commands that GuardKit runs to verify changes. None was detected.
# verify:
#   setup: make deps
#   tests:
#     command: make test
`;

const QUALITY_GATES_EXAMPLE = `${schemaLine('../schemas/quality-gates.schema.json')}# This project's quality gates. Missing values use GuardKit's defaults. To see the result:
#   guardkit config explain gates --type feature --complexity 5
#
# quality_gate_configs:
#   - task_type: feature
#     complexity_range: [4, 6]
#     coverage_threshold: 0.85   # a fraction
`;

/** Without a coverage command, a gate that requires coverage could never pass. */
const WITHOUT_COVERAGE = `
# \`guardkit init\` found no working coverage command, so coverage is not required. Remove these lines
# once verify.coverage in ../config.yaml works.
quality_gate_configs:
  - {task_type: feature, complexity_range: [1, 10], coverage_required: false}
  - {task_type: testing, complexity_range: [1, 10], coverage_required: false}
`;

export function qualityGatesTemplate({ coverageMeasured }: { coverageMeasured: boolean }): string {
  return coverageMeasured ? QUALITY_GATES_EXAMPLE : `${QUALITY_GATES_EXAMPLE}${WITHOUT_COVERAGE}`;
}

export const ENTITY_OVERRIDES_TEMPLATE = `${schemaLine('../schemas/entity-overrides.schema.json')}# Changes to roles and gates for this project. This file overrides all others. To see the result:
#   guardkit config explain roles coach
#
# role_constraints:
#   coach:
#     must_do_additions:
#       - Verify that money is never a floating-point number
#     escalate_when_additions:
#       - Customer data is found in a log
#   player:
#     ask_before_removals:
#       - Modifying external dependencies
# quality_gate_configs:
#   feature:
#     overrides:
#       - complexity_range: [7, 10]
#         arch_review_threshold: 80
`;

export const GITIGNORE_HEADING = '# GuardKit: made anew on every machine';

export const GITIGNORE_LINES = [
  '.guardkit/logs/',
  '.claude/progress/',
  '.claude/settings.local.json',
] as const;
