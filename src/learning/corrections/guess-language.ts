import { foldLetters } from './fold-letters.ts';
import { meaningOf, meaningsIn, type PromptLanguage } from './meanings.ts';

/** Words that are in nearly every sentence of a language; folded. */
const COMMON = {
  en: 'the is are you and to of it that this i not did for in was have with what my but dont thats its be can please on why so just should still add now',
  de: 'der die das ist nicht und ich du zu ein eine hast aber mit auf den wir doch noch bitte wieder auch war im sich fur warum jetzt nur nein so',
  fr: 'le la les est pas tu et je que de des un une ca cest jai mais dans pour avec ce cette plus du as encore il c j l d n qu pourquoi non',
  es: 'el la los no es que y de un una lo te se por con pero has para esta ese eso mi ya en del las he',
  pt: 'o a os nao e que de um uma voce isso esta com para mas do da no na eu ja meu essa por tambem ainda pra ta',
  it: 'il la non e che di un una hai ho per con ma questo questa lo gli del della sono piu ancora si come ci le nel l perche',
  nl: 'de het een niet is en je van ik dat dit maar met heb voor op ook nog was er zijn wel naar aan om weer waarom nu',
  pl: 'nie to jest i w na sie ze ale czy co jak mi tego po za dla z juz ma bo tylko jeszcze masz zeby prosze dlaczego teraz',
} as const;

const MAX_WORDS = 200;
/** How much a word counts that the language has a meaning for, and one that begins like such a word. */
const KNOWN = 0.6;
const ALIKE = 0.4;
/** How much it counts that what went before was in the language, and that it is English, which all of them are mixed with. */
const SPOKEN_BEFORE = 1.2;
const ENGLISH = 0.3;
/** So much ahead, no other language needs to be read. */
const CLEAR = 1;

/** The language of a prompt; of a few words one is little to go by, and what went before helps. */
export function guessLanguage(prompt: string, before: string): PromptLanguage {
  if (/[\u3040-\u30ff]/.test(prompt)) return 'ja';
  if (/[\u3400-\u9fff]/.test(prompt)) return /[\u3040-\u30ff]/.test(before) ? 'ja' : 'zh';
  if (/[\u0400-\u04ff]/.test(prompt)) return 'ru';
  const words = wordsOf(prompt);
  const inBefore = commonIn(wordsOf(before));
  const most = Math.max(1, ...inBefore.values());
  const scores = [...commonIn(words)].map(([language, score]) => {
    const spoken = SPOKEN_BEFORE * Math.max(0, (inBefore.get(language) ?? 0) / most - 0.3);
    return { language, score: score + spoken + (language === 'en' ? ENGLISH : 0) };
  });
  const best = Math.max(...scores.map(({ score }) => score));
  const close = scores.filter(({ score }) => score > best - CLEAR);
  if (close.length > 1) for (const one of close) one.score += knownIn(words, one.language);
  return close.reduce((a, b) => (b.score > a.score ? b : a)).language;
}

let sets: Map<PromptLanguage, Set<string>> | undefined;

function commonSets(): Map<PromptLanguage, Set<string>> {
  sets ??= new Map(
    Object.entries(COMMON).map(([language, words]) => [
      language as PromptLanguage,
      new Set(words.split(' ')),
    ]),
  );
  return sets;
}

function wordsOf(text: string): string[] {
  return foldLetters(text)
    .replace(/['’]/g, '')
    .split(/[^a-z]+/, MAX_WORDS)
    .filter((word) => word !== '');
}

function commonIn(words: readonly string[]): Map<PromptLanguage, number> {
  return new Map(
    [...commonSets()].map(([language, common]) => [
      language,
      words.filter((word) => common.has(word)).length,
    ]),
  );
}

function knownIn(words: readonly string[], language: PromptLanguage): number {
  const meanings = meaningsIn(language);
  const common = commonSets().get(language);
  let known = 0;
  for (const word of words) {
    if (common?.has(word)) continue;
    if (meanings.words.has(word)) known += KNOWN;
    else if (word.length > 4 && meaningOf(meanings, word) !== undefined) known += ALIKE;
  }
  return known;
}
