import type { Sandbox } from '../../support/cli.ts';

/** The example of the turn state tracking guide, as it stands there. */
export const GUIDE_TURNS = [
  {
    id: 'TURN-FEAT-AUTH-1',
    feature_id: 'FEAT-AUTH',
    task_id: 'TASK-AUTH-001',
    turn_number: 1,
    mode: 'fresh_start',
    player_summary: 'Implemented JWT-based authentication with login endpoint',
    player_decision: 'implemented',
    coach_decision: 'feedback',
    coach_feedback: 'Missing token refresh mechanism',
    files_modified: ['src/auth/jwt.py', 'src/auth/login.py', 'tests/test_auth.py'],
    tests_passed: 8,
    tests_failed: 0,
    coverage: 75.5,
    acceptance_criteria_status: {
      'AC-001: Login returns JWT': 'completed',
      'AC-002: Token refresh works': 'not_started',
      'AC-003: Invalid tokens rejected': 'completed',
    },
    lessons_from_turn: ['JWT library handles encoding well'],
    what_to_try_next: 'Implement token refresh endpoint',
  },
  {
    id: 'TURN-FEAT-AUTH-2',
    feature_id: 'FEAT-AUTH',
    task_id: 'TASK-AUTH-001',
    turn_number: 2,
    mode: 'continuing_work',
    player_summary: 'Added token refresh endpoint with sliding window',
    player_decision: 'implemented',
    coach_decision: 'rejected',
    coach_feedback: "Token refresh endpoint doesn't validate original token expiry",
    files_modified: ['src/auth/refresh.py', 'tests/test_refresh.py'],
    tests_passed: 10,
    tests_failed: 2,
    coverage: 78.2,
    acceptance_criteria_status: {
      'AC-001: Login returns JWT': 'completed',
      'AC-002: Token refresh works': 'in_progress',
      'AC-003: Invalid tokens rejected': 'completed',
    },
    blockers_found: ['Unclear requirement on refresh window size'],
    lessons_from_turn: ['Need to validate original token before refresh'],
    what_to_try_next: 'Add token expiry validation before refresh',
  },
  {
    id: 'TURN-FEAT-AUTH-3',
    feature_id: 'FEAT-AUTH',
    task_id: 'TASK-AUTH-001',
    turn_number: 3,
    mode: 'continuing_work',
    player_summary: 'Fixed token refresh to validate expiry, added edge case tests',
    player_decision: 'implemented',
    coach_decision: 'approved',
    coach_feedback: null,
    files_modified: ['src/auth/refresh.py', 'tests/test_refresh.py'],
    tests_passed: 15,
    tests_failed: 0,
    coverage: 85,
    acceptance_criteria_status: {
      'AC-001: Login returns JWT': 'completed',
      'AC-002: Token refresh works': 'completed',
      'AC-003: Invalid tokens rejected': 'completed',
    },
    lessons_from_turn: ['Edge case testing caught the validation bug'],
    what_to_try_next: null,
  },
] as const;

/** Adds the three turns of the guide's example to a repository of the sandbox. */
export async function addGuideTurns(sandbox: Sandbox, folder: string): Promise<void> {
  for (const turn of GUIDE_TURNS) {
    const { exitCode, stderr } = await sandbox.graphiti(
      ['add', 'turn_states', '--id', turn.id, '--type', 'turn_state', '--body', '-'],
      { in: folder, input: JSON.stringify(turn) },
    );
    if (exitCode !== 0) throw new Error(stderr);
  }
}
