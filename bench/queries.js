import { pick, random } from './random.js';
import { turnKey, turnState } from './turns.js';
import { sentence, WORDS } from './vocabulary.js';

/** What people and agents ask a memory, each kind as often as the others. */
const KINDS = {
  'rare word': (next) => WORDS[WORDS.length - 1 - Math.floor(next() * 2000)],
  'common word': (next) => pick(next, [...WORDS.slice(0, 6), 'turn', 'feedback', 'implemented']),
  identifier: (next, count) => {
    const body = turnState(Math.floor(next() * count));
    return next() < 0.5 ? body.player_summary.split(/[ :]/)[1] : body.files_modified[0];
  },
  sentence: (next) => sentence(next, 5 + Math.floor(next() * 8)),
  'nothing found': (next) => `${unknownWord(next)} ${unknownWord(next)}`,
  id: (next, count) => {
    const key = turnKey(Math.floor(next() * count));
    return pick(next, [key.id, key.task, key.feature]);
  },
};

/** Letters only: a digit in it would be found in every row. */
function unknownWord(next) {
  return `qq${Array.from({ length: 5 }, () => pick(next, 'bcdfghjklm')).join('')}`;
}

export const QUERY_KINDS = Object.keys(KINDS);

/** An endless mix over the first `count` turns, kind after kind. */
export function* mixedQueries(count) {
  const next = random(count);
  for (;;) {
    for (const [kind, make] of Object.entries(KINDS)) yield { kind, query: make(next, count) };
  }
}
