import { pick, random } from './random.js';
import { turnKey, turnState } from './turns.js';
import { sentence, WORDS } from './vocabulary.js';

/** Typical queries of people and agents; all kinds are equally frequent. */
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

/** Letters only, since every row contains digits. */
function unknownWord(next) {
  return `qq${Array.from({ length: 5 }, () => pick(next, 'bcdfghjklm')).join('')}`;
}

export const QUERY_KINDS = Object.keys(KINDS);

/** An endless mix of all kinds over the first `count` turns. */
export function* mixedQueries(count) {
  const next = random(count);
  for (;;) {
    for (const [kind, make] of Object.entries(KINDS)) yield { kind, query: make(next, count) };
  }
}
