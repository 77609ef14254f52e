/** Words that are in nearly every sentence of a language and seldom in those of its neighbours; folded. */
const COMMON: Readonly<Record<string, readonly string[]>> = {
  en: 'the is are you and to of it that this i not did for in was have with what my but dont thats its be can please'.split(
    ' ',
  ),
  de: 'der die das ist nicht und ich du zu ein eine hast aber mit auf den wir das doch noch bitte wieder auch war im sich fur'.split(
    ' ',
  ),
  fr: 'le la les est pas tu et je que de des un une ca cest jai mais dans pour avec ce cette plus du as encore il'.split(
    ' ',
  ),
  es: 'el la los no es que y de un una lo te se por con pero has para esta ese eso mi ya en del las he'.split(
    ' ',
  ),
  pt: 'o a os nao e que de um uma voce isso esta com para mas do da no na eu ja meu essa por tambem ainda'.split(
    ' ',
  ),
  it: 'il la non e che di un una hai ho per con ma questo questa lo gli del della sono piu ancora si come ci le nel'.split(
    ' ',
  ),
  nl: 'de het een niet is en je van ik dat dit maar met heb voor op ook nog was er zijn wel naar aan om weer'.split(
    ' ',
  ),
  pl: 'nie to jest i w na sie ze ale czy co jak mi tego po za dla z juz ma bo tylko jeszcze masz zeby prosze'.split(
    ' ',
  ),
};

export type PromptLanguage = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'pl' | 'ru' | 'ja' | 'zh';

/** The languages that a folded text may be in; several where it is too short to tell. */
export function guessLanguages(folded: string): PromptLanguage[] {
  const scripts: PromptLanguage[] = [];
  if (/[\u3040-\u30ff]/.test(folded)) scripts.push('ja');
  else if (/[\u4e00-\u9fff]/.test(folded)) scripts.push('zh', 'ja');
  if (/[\u0400-\u04ff]/.test(folded)) scripts.push('ru');
  if (scripts.length > 0) return scripts;
  const words = folded.split(' ').slice(0, 200);
  const scores = Object.entries(COMMON).map(([language, common]) => ({
    language: language as PromptLanguage,
    score: words.filter((word) => common.includes(word)).length,
  }));
  const best = Math.max(...scores.map(({ score }) => score));
  if (best === 0) return scores.map(({ language }) => language);
  // Of a few words one is little to go by.
  const slack = words.length <= 4 ? 1 : Math.floor(best * 0.25);
  return scores.filter(({ score }) => score >= best - slack && score > 0).map(({ language }) => language);
}
