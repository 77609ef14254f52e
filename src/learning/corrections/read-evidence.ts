import { alike } from './alike.ts';
import { type CompiledWords, correctionWords, FAULT_KINDS, type FaultKind } from './correction-words.ts';
import { guessLanguages } from './guess-languages.ts';
import { pastedFault, plainWords } from './plain-words.ts';
import { sharedWords } from './shared-words.ts';
import type { PromptBefore } from './went-before.ts';
import { withoutSlips } from './without-slips.ts';

/** What is looked for in a prompt and in what it came after; each from 0 (not there) to 1. */
export type Evidence = Record<FaultKind | Circumstance, number>;

export const CIRCUMSTANCES = [
  'refusal',
  'bare',
  'asked',
  'fault_asked',
  'put_back',
  'interrupted',
  'repeated',
  'own',
  'others',
  'praise',
  'praise_turned',
  'further',
  'further_later',
  'content',
  'wish',
  'asks',
  'contrast',
  'kinds',
  'first_fault',
  'pointed_fault',
  'addressed',
  'refers',
  'listed',
  'short',
  'long',
  'question',
  'loud',
  'unpointed',
  'loud_unpointed',
  'long_unpointed',
  'pasted_fault',
  'about_work',
  'about_request',
  'fault_about_work',
  'other_file',
] as const;

export type Circumstance = (typeof CIRCUMSTANCES)[number];

const ALIKE = 0.75;
const STRONG = 0.7;
const SHORT = 7;
const LONG = 50;
const MAX_SENTENCES = 40;
const MAX_PROMPT = 6000;

/** All that speaks for or against a correction. */
export function readEvidence(written: string, before: PromptBefore): Evidence {
  const prompt = written.slice(0, MAX_PROMPT);
  const said = plainWords(prompt);
  const words = withoutSlips(said);
  const asked = asksSomething(before.message);
  const languages = guessLanguages(words).map(correctionWords);
  const sentences = words
    .split(/ [.!?](?: |$)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .slice(0, MAX_SENTENCES);
  const faults = faultsOf(sentences, languages);
  const count = words === '' ? 0 : words.split(' ').length;
  const turned = TURNS.test(words);
  const praise = languages.some((language) => language.praise.test(words));
  const further = languages.some((language) => language.further.test(words));
  const bare = languages.some((language) => language.bare.test(words));
  const kinds = FAULT_KINDS.filter(
    (kind) => faults[kind] >= STRONG && kind !== 'stop' && kind !== 'should',
  ).length;
  const addressed = ADDRESSED.test(words);
  const work = `${before.message} ${before.edited.join(' ')} ${before.tools.map(({ target }) => target).join(' ')}`;
  const aboutWork = sharedWords(words, plainWords(work));
  const worst = worstOf(faults);
  const pointedAt = POINTING.some((kind) => faults[kind] >= STRONG);
  const firstFault = worstOf(faultsOf(sentences.slice(0, 2), languages));
  const refers = sentences.some((sentence) => REFERS.test(sentence));
  const pointed = addressed || refers || aboutWork >= 0.5 || count <= SHORT || pointedAt;
  const tellsOfOthers = REPORTS.test(words) || SERVICES.test(words);
  const files = filesNamed(prompt);
  const is = (fact: boolean): number => (fact ? 1 : 0);
  return {
    ...faults,
    // A no, or a do not, is said to anything; only a strong one is said to what is being done.
    stop: faults.stop >= STRONG ? faults.stop : 0,
    refusal: bare || faults.stop >= STRONG ? 0 : faults.stop,
    bare: is(bare && !asked),
    asked: is(asked),
    fault_asked: asked ? worst : 0,
    put_back: is((before.putBack?.length ?? 0) > 0),
    interrupted: is(before.interrupted !== undefined),
    repeated: is(
      before.earlierPrompts?.some((earlier) => alike(said, plainWords(earlier)) >= ALIKE) ?? false,
    ),
    own: is(languages.some((language) => language.own.test(words))),
    others: is(
      languages.some((language) => language.others.test(words)) ||
        (tellsOfOthers && !addressed && !pointedAt),
    ),
    praise: is(praise && !turned),
    praise_turned: is(praise && turned),
    further: is(further),
    further_later: is(
      sentences.slice(1).some((sentence) => languages.some((language) => language.further.test(sentence))),
    ),
    content: shareOf(sentences, (sentence) => languages.some(({ content }) => content.test(sentence))),
    wish: shareOf(sentences, (sentence) => languages.some(({ wish }) => wish.test(sentence))),
    asks: is(sentences.some((sentence) => languages.some(({ asks }) => asks.test(sentence)))),
    contrast: is(count <= 12 && CONTRAST.test(prompt)),
    kinds: Math.min(kinds, 4) / 4,
    first_fault: firstFault,
    pointed_fault: pointed ? worst : 0,
    addressed: is(addressed),
    refers: is(refers),
    listed: is(isList(prompt)),
    short: is(count <= SHORT),
    long: is(count > LONG),
    question: is(/[?？]\s*$/.test(prompt)),
    loud: is(LOUD.test(prompt)),
    unpointed: is(!pointed),
    loud_unpointed: is(!pointed && LOUD.test(prompt)),
    long_unpointed: is(!pointedAt && count > LONG),
    pasted_fault: is(pastedFault(prompt)),
    about_work: aboutWork,
    fault_about_work: aboutWork > 0 ? worst : 0,
    other_file: is(files.some((file) => !work.includes(file))),
    about_request: sharedWords(words, plainWords(before.earlierPrompts?.at(-1) ?? '')),
  };
}

function shareOf(sentences: readonly string[], has: (sentence: string) => boolean): number {
  return sentences.length === 0 ? 0 : sentences.filter(has).length / sentences.length;
}

/** One thing, and not another. */
const CONTRAST =
  /[,;:–-] ?(?:and |und |et |y |e |en |i |и )?(?:not|nicht|keine?n?|pas|no|não|nao|non|niet|geen|nie|а не|не)(?=\s)/iu;

/** Faults that are found with somebody, or with what was just there. */
const POINTING: readonly FaultKind[] = ['accusing', 'unasked', 'undo'];

function worstOf(faults: Record<FaultKind, number>): number {
  return Math.max(...FAULT_KINDS.map((kind) => (kind === 'stop' || kind === 'should' ? 0 : faults[kind])));
}

function faultsOf(
  sentences: readonly string[],
  languages: readonly CompiledWords[],
): Record<FaultKind, number> {
  const found = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  for (const language of languages) {
    for (const { kind, sayings } of language.faults) {
      for (const { weight, pattern } of sayings) {
        if (weight <= found[kind]) continue;
        if (sentences.some((sentence) => pattern.test(sentence))) found[kind] = weight;
      }
    }
  }
  return found;
}

/** Shouted. */
const LOUD = /[!?！？]{2}|!\s|！|(?<!\p{L})\p{Lu}{4,}(?: \p{Lu}{2,}|[!?])/u;

/** Names of files in a prompt, without their folders. */
function filesNamed(prompt: string): string[] {
  const named = prompt
    .slice(0, 6000)
    .match(
      /[\w-]{1,60}\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|md|json|ya?ml|toml|sql|sh|css|html|vue|env)\b/g,
    );
  return (named ?? []).slice(0, 20);
}

/** Two lines or more begin like points of a list. */
function isList(prompt: string): boolean {
  return (prompt.match(/(?:^|\n)\s{0,6}(?:[-*•]|\d{1,2}[.)])\s/g) ?? []).length >= 2;
}

/** Things of others that fail by themselves, whatever language they are cursed in. */
const SERVICES =
  /(?<![\p{L}])(?:docker|npm|pnpm|yarn|github|gitlab|jenkins|aws|azure|gcp|vercel|netlify|cloudflare|stripe|paypal|jira|slack|kubernetes|k8s|webpack|chrome|safari|firefox|windows|macos|vpn|wifi|dns|ldap|okta|sentry|datadog|circleci|dependabot|renovate|apple|google|microsoft|oracle|sap)(?![\p{L}])/u;
/** How faults are told that were there before. */
const REPORTS =
  /(?<![\p{L}])(?:theres an?|there is an?|found an?|i found|we have an?|we got an?|es gibt (?:einen|ein|eine)|il y a|hay (?:un|una)|tem um|ha um|ce un|ce una|er is een|jest|есть) (?:\p{L}{1,12} )?(?:bug|issue|problem|error|fehler|bogue|probleme|erreur|fallo|problema|erro|errore|fout|probleem|blad|ошибка|баг|проблема)/u;
/** Somebody is spoken to. */
const ADDRESSED =
  /(?<![\p{L}])(?:you|your|yours|youre|u|du|dein|deine|dir|dich|hast|tu|tas|ton|ta|tes|vous|has|te|voce|vc|sua|seu|hai|tuo|tua|je|jij|jouw|ty|twoj|twoja|masz|ты|твой|твои|тебя|вы)(?![\p{L}])|你|您|君|あなた/u;
/** Begins with a word for what was just done. */
const REFERS =
  /^(?:(?:no|nope|nein|non|nee|nie|нет|hmm?|ok|okay|but|aber|mais|pero|mas|ma|maar|ale|но) )?(?:thats?|this|its?|das|dies|es|so|ca|cest|cela|ce|eso|esto|asi|isso|isto|assim|questo|quello|cosi|e|dat|dit|zo|to|tak|это|так)(?![\p{L}])|^(?:それ|これ|その|この|これら|这|那)/u;
/** A word by which a sentence takes a turn. */
const TURNS =
  /(?<![\p{L}])(?:but|however|except|though|although|yet|aber|allerdings|jedoch|nur|mais|sauf|par contre|pourtant|pero|salvo|excepto|sin embargo|mas|porem|so que|exceto|ma|pero|tranne|maar|behalve|alleen|ale|tylko|jednak|но|только|однако|кроме)(?![\p{L}])|但|不过|可是|只是|でも|けど|ただ|しかし|ですが/u;

/** The last thing the agent said was a question or an offer. */
function asksSomething(message: string): boolean {
  const last = message.slice(-ASKING).toLowerCase();
  return /[?？]/.test(last) || OFFERS.test(last);
}

const ASKING = 240;
/** An offer that needs no question mark. */
const OFFERS =
  /if you (?:want|like|prefer|d like)|let me know|happy to|want me to|shall i|should i|wenn du (?:willst|möchtest|magst)|sag (?:mir )?bescheid|soll ich|si tu (?:veux|préfères)|dis-moi|si quieres|dime si|se (?:você )?quiser|me (?:avise|diga)|se vuoi|fammi sapere|als je (?:wilt|wil)|laat (?:me|het) weten|zal ik|jeśli chcesz|daj znać|если (?:хочешь|хотите|нужно)|дай(?:те)? знать|よければ|必要でしたら|ましょうか|お知らせください|如果(?:你|您)?(?:需要|想|要)|需要的话|要不要/u;
