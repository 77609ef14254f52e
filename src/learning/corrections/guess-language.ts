import { foldLetters } from './fold-letters.ts';
import type { PromptLanguage } from './meanings.ts';

/** Frequent words, folded. Languages without a vocabulary are listed so that their prompts are not taken for another's. */
const FREQUENT = {
  en: 'the is are you and to of it that this i not did for in was have with what my but dont thats its be can please on why so just should still add now',
  de: 'der die das ist nicht und ich du zu ein eine hast aber mit auf den wir doch noch bitte wieder auch war im sich fur warum jetzt nur nein so',
  fr: 'le la les est pas tu et je que de des un une ca cest jai mais dans pour avec ce cette plus du as encore il c j l d n qu pourquoi non',
  es: 'el la los no es que y de un una lo te se por con pero has para esta ese eso mi ya en del las he',
  pt: 'o a os nao e que de um uma voce isso esta com para mas do da no na eu ja meu essa por tambem ainda pra ta',
  it: 'il la non e che di un una hai ho per con ma questo questa lo gli del della sono piu ancora si come ci le nel l perche',
  nl: 'de het een niet is en je van ik dat dit maar met heb voor op ook nog was er zijn wel naar aan om weer waarom nu',
  pl: 'nie to jest i w na sie ze ale czy co jak mi tego po za dla z juz ma bo tylko jeszcze masz zeby prosze dlaczego teraz',
} as const;

const SUPPORTED: ReadonlySet<string> = new Set<PromptLanguage>(['en', 'de', 'fr', 'es']);
const MAX_WORDS = 200;
/** The conversation so far counts like this many words of the prompt, and English gets a head start. */
const SPOKEN_BEFORE = 1.6;
const ENGLISH = 0.3;
const OTHER_SCRIPT =
  /[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0600-\u06ff\u0590-\u05ff\u0900-\u097f]/;

const sets = new Map(
  Object.entries(FREQUENT).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/** The language of a prompt; undefined where it is none that has a vocabulary. */
export function guessLanguage(prompt: string, before: string): PromptLanguage | undefined {
  if (OTHER_SCRIPT.test(prompt)) return undefined;
  const words = wordsOf(prompt);
  const wordsBefore = wordsOf(before);
  const inBefore = [...sets.values()].map((set) => wordsBefore.filter((word) => set.has(word)).length);
  const most = Math.max(1, ...inBefore);
  let best = { language: 'en', score: -1 };
  for (const [index, [language, set]] of [...sets].entries()) {
    const spoken = SPOKEN_BEFORE * Math.max(0, (inBefore[index] ?? 0) / most - 0.3);
    const score = words.filter((word) => set.has(word)).length + spoken + (language === 'en' ? ENGLISH : 0);
    if (score > best.score) best = { language, score };
  }
  return SUPPORTED.has(best.language) ? (best.language as PromptLanguage) : undefined;
}

function wordsOf(text: string): string[] {
  return foldLetters(text)
    .replace(/['’]/g, '')
    .split(/[^a-z]+/, MAX_WORDS)
    .filter((word) => word !== '');
}
