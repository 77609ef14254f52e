import type { EpisodeInput } from '../../src/domain/entities/episode.ts';
import { note, turn } from './inputs.ts';

const guide = { feature: 'FEAT-AUTH', task: 'TASK-AUTH-001' };

/** The turns of the tracking guide, among turns of other work and notes, oldest first. */
export const SEARCH_DATA: readonly EpisodeInput[] = [
  turn(
    { ...guide, turn: 1 },
    {
      mode: 'fresh_start',
      player_summary: 'Implemented JWT-based authentication with login endpoint',
      player_decision: 'implemented',
      coach_decision: 'feedback',
      coach_feedback: 'Missing token refresh mechanism',
      files_modified: ['src/auth/jwt.py', 'src/auth/login.py', 'tests/test_auth.py'],
      lessons_from_turn: ['JWT library handles encoding well'],
      what_to_try_next: 'Implement token refresh endpoint',
    },
  ),
  turn(
    { ...guide, turn: 2 },
    {
      player_summary: 'Added token refresh endpoint with sliding window',
      player_decision: 'implemented',
      coach_decision: 'rejected',
      coach_feedback: "Token refresh endpoint doesn't validate original token expiry",
      files_modified: ['src/auth/refresh.py', 'tests/test_refresh.py'],
      blockers_found: ['Unclear requirement on refresh window size'],
    },
  ),
  turn(
    { ...guide, turn: 3 },
    {
      player_summary: 'Fixed token refresh to validate expiry, added edge case tests',
      player_decision: 'implemented',
      coach_decision: 'approved',
      files_modified: ['src/auth/refresh.py', 'tests/test_refresh.py'],
    },
  ),
  turn(
    { feature: 'FEAT-GE', task: 'TASK-GE-001', turn: 1 },
    {
      player_summary: 'Read the graph with parseDOT and drew it',
      coach_decision: 'feedback',
      files_modified: ['src/graph/parse.ts'],
    },
  ),
  turn(
    { feature: 'FEAT-GE', task: 'TASK-GE-001', turn: 2 },
    {
      player_summary: 'Drew the edges of the graph',
      coach_decision: 'rejected',
      blockers_found: ['The layout program is not installed'],
    },
  ),
  turn({ feature: 'FEAT-AUTH', task: 'TASK-1', turn: 2 }, { player_summary: 'Moved the settings page' }),
  note('NOTE-cache', 'The session_timeout of Redis must be longer than the window of the cache', {
    title: 'Session cache',
  }),
  note('NOTE-cafe', 'Die Größe der Anfrage im Café war naïve gewählt', { title: 'Umlaute' }),
  note('NOTE-cjk', '会話履歴の検索は日本語でも動く', { title: '日本語の検索' }),
  note('NOTE-authn', 'Users who cannot authenticate see an empty page', {
    title: 'Empty page',
    tags: ['ui'],
  }),
  note('NOTE-other', 'Builds fail on Mondays when the certificate of the proxy is renewed', {
    title: 'Proxy',
  }),
  note('NOTE-elsewhere', 'Token refresh belongs in the gateway', {
    group: 'other__architecture',
    title: 'Gateway',
  }),
];
