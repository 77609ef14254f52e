import { pick, random } from './random.js';

/** Words that people use about code, the most frequent first; most rows contain the first few. */
const FREQUENT = (
  'test error session token handler request response user file function value type check config service update ' +
  'login timeout missing return refresh module query cache state store client server route schema field table ' +
  'index record event queue worker retry lock write read parse render build deploy branch commit merge review ' +
  'coverage mock fixture assert promise stream buffer socket header cookie password role permission account ' +
  'invoice payment order product cart search filter sort page limit offset cursor date time zone locale currency ' +
  'email template message channel notification webhook signature hash salt cipher key secret rotation policy rule ' +
  'guard gate criterion evidence feature task turn player coach feedback plan scope risk race deadlock leak memory ' +
  'thread process signal exit code log trace span metric alert dashboard chart upload download image thumbnail ' +
  'storage bucket region replica migration rollback transaction constraint column trigger view version release tag'
).split(' ');

const SYLLABLES =
  'ba cre dor fin gal hul jin kor lem mor nas pel quo ras sel tor ul ven wex yor zan bri cho dra el'.split(
    ' ',
  );
const SIZE = 6000;

/** 6000 words; the rare ones are generated, so that rare words exist at any size. */
export const WORDS = [...new Set([...FREQUENT, ...madeUpWords()])].slice(0, SIZE);

const STOP_WORDS = 'the a of to in and is for with on not when after that it was by this'.split(' ');
const TOTALS = zipfTotals(WORDS.length);

/** Draws rank r with a weight of 1/r, like words in natural text. */
export function zipfWord(next) {
  const target = next() * TOTALS[TOTALS.length - 1];
  let low = 0;
  let high = TOTALS.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (TOTALS[middle] < target) low = middle + 1;
    else high = middle;
  }
  return WORDS[low];
}

export function sentence(next, length) {
  const words = Array.from({ length }, () => (next() < 0.3 ? pick(next, STOP_WORDS) : zipfWord(next)));
  return `${words.join(' ')}.`;
}

/** `session_timeout` or `sessionTimeout`. */
export function identifier(next) {
  const [first, second] = [zipfWord(next), zipfWord(next)];
  return next() < 0.5 ? `${first}_${second}` : first + second[0].toUpperCase() + second.slice(1);
}

export function filePath(next) {
  return `src/${pick(next, FREQUENT)}/${zipfWord(next)}-${zipfWord(next)}.ts`;
}

function madeUpWords() {
  const next = random(7);
  return Array.from({ length: SIZE * 2 }, () =>
    Array.from({ length: 2 + Math.floor(next() * 3) }, () => pick(next, SYLLABLES)).join(''),
  );
}

function zipfTotals(count) {
  const totals = [];
  let total = 0;
  for (let rank = 1; rank <= count; rank++) {
    total += 1 / rank;
    totals.push(total);
  }
  return totals;
}
