import assert from 'node:assert/strict';
import test from 'node:test';
import { HALF_HOUR, openSession } from '../src/session.js';

test('a session lasts half an hour', () => {
  assert.deepEqual(openSession('ada', 1000), { user: 'ada', endsAt: 1000 + HALF_HOUR });
});
