import { alike } from './alike.ts';
import { type CompiledWords, correctionWords } from './correction-words.ts';
import { guessLanguages } from './guess-languages.ts';
import { plainWords } from './plain-words.ts';
import { withoutSlips } from './without-slips.ts';

export type CorrectionSign = 'words' | 'put_back' | 'repeated' | 'interrupted';

/** What a prompt came after. */
export interface PromptBefore {
  /** The agent's last words. */
  message: string;
  /** What it did since the prompt before. */
  tools: readonly { tool: string; target: string }[];
  /** Files of the project that it changed. */
  edited: readonly string[];
  /** What the person cut short. */
  interrupted?: { tool: string; target: string } | undefined;
  /** Of the changed files, those that are as they were again, and not by the agent's doing. */
  putBack?: readonly string[] | undefined;
  /** What the person said before in this session, the oldest first. */
  earlierPrompts?: readonly string[] | undefined;
}

export interface NoticedCorrection {
  confidence: number;
  signs: CorrectionSign[];
  /** The person's words, and what of the agent's they are about. */
  quotes: [person: string, agent: string];
}

/** Below this it is left alone: one that is missed costs less than one that is made up. */
const ENOUGH = 0.73;
/** Of the other languages fewer ways to say it are known, and more that only look like it. */
const ENOUGH_ELSEWHERE = 0.84;
const ALIKE = 0.75;
const MAX_QUOTE = 400;

/**
 * Whether a person's prompt corrects what the agent did. Judged by words, by what became of its files and by what was said
 * before; no model is asked. It would rather miss a correction than make one up.
 */
export function noticeCorrection(prompt: string, before: PromptBefore): NoticedCorrection | undefined {
  const words = plainWords(prompt);
  if (words === '') return undefined;
  const { sure, signs } = weigh(withoutSlips(words), isList(prompt), before);
  const confidence = Math.round(sure * 100) / 100;
  const enough = guessLanguages(words).includes('en') ? ENOUGH : ENOUGH_ELSEWHERE;
  // One sign without a word of fault may have any reason.
  if (confidence < enough || (!signs.includes('words') && signs.length < 2)) return undefined;
  return { confidence, signs, quotes: [quote(prompt), quote(whatTheAgentDid(before))] };
}

interface Weighed {
  /** How surely it is a correction, from 0 to 1. */
  sure: number;
  signs: CorrectionSign[];
}

function weigh(words: string, listed: boolean, before: PromptBefore): Weighed {
  const languages = guessLanguages(words).map(correctionWords);
  const asked = asksSomething(before.message);
  const signs: CorrectionSign[] = [];
  const spoken = Math.max(0, ...languages.map((language) => spokenFault(words, language, { asked, listed })));
  if (spoken >= 0.3) signs.push('words');
  let doubts = 1 - spoken;
  if (before.putBack && before.putBack.length > 0) {
    signs.push('put_back');
    doubts *= 0.35;
  }
  if (before.interrupted) {
    signs.push('interrupted');
    doubts *= 0.55;
  }
  if (before.earlierPrompts?.some((earlier) => alike(words, plainWords(earlier)) >= ALIKE)) {
    signs.push('repeated');
    doubts *= 0.55;
  }
  // What a person says of their own mind, or of somebody else's faults, is no word about the agent's work.
  if (languages.some(({ own }) => own.test(words))) return { sure: (1 - doubts) * 0.35, signs };
  if (languages.some(({ others }) => others.test(words))) return { sure: (1 - doubts) * 0.6, signs };
  if (REPORTS.test(words) && !ADDRESSED.test(words) && !REFERS.test(words))
    return { sure: (1 - doubts) * 0.75, signs };
  if (SERVICES.test(words) && !ADDRESSED.test(words)) return { sure: (1 - doubts) * 0.75, signs };
  return { sure: 1 - doubts, signs };
}

/** Things of others that fail by themselves, whatever language they are cursed in. */
const SERVICES =
  /(?<![\p{L}])(?:docker|npm|pnpm|yarn|github|gitlab|jenkins|aws|azure|gcp|vercel|netlify|cloudflare|stripe|paypal|jira|slack|kubernetes|k8s|webpack|chrome|safari|firefox|windows|macos|vpn|wifi|dns|ldap|okta|sentry|datadog|circleci|dependabot|renovate|apple|google|microsoft|oracle|sap)(?![\p{L}])/u;
/** How faults are told that were there before. */
const REPORTS =
  /(?<![\p{L}])(?:theres an?|there is an?|found an?|i found|we have an?|we got an?|es gibt (?:einen|ein|eine)|il y a|hay (?:un|una)|tem um|ha um|ce un|ce una|er is een|jest|есть) (?:\p{L}{1,12} )?(?:bug|issue|problem|error|fehler|bogue|probleme|erreur|fallo|problema|erro|errore|fout|probleem|blad|ошибка|баг|проблема)/u;
/** Somebody is spoken to. */
const ADDRESSED =
  /(?<![\p{L}])(?:you|your|yours|youre|du|dein|deine|dir|dich|hast|tu|tas|ton|ta|tes|vous|has|te|voce|vc|sua|seu|hai|tuo|tua|je|jij|jouw|ty|twoj|twoja|masz|ты|твой|твои|тебя|вы)(?![\p{L}])|你|您|君|あなた/u;

interface Circumstances {
  /** The last thing the agent said was a question or an offer. */
  asked: boolean;
  /** The prompt is a list: each of its points stands for itself. */
  listed: boolean;
}

/** Two lines or more begin like points of a list. */
function isList(prompt: string): boolean {
  return (prompt.slice(0, 6000).match(/(?:^|\n)\s{0,6}(?:[-*•]|\d{1,2}[.)])\s/g) ?? []).length >= 2;
}

/** How surely the words alone find fault, from 0 to 1. */
function spokenFault(words: string, language: CompiledWords, { asked, listed }: Circumstances): number {
  if (language.bare.test(words)) return asked ? 0.2 : 0.88;
  const sentences = words
    .split(/ [.!?](?: |$)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .slice(0, MAX_SENTENCES);
  const meant = sentences.length === 1 && words.split(' ').length <= SHORT;
  const found = sentences.map((sentence, index) =>
    faultOf(sentence, language, { index: listed ? 0 : index, meant: meant || listed }),
  );
  found.sort((one, other) => other - one);
  const [first = 0, ...others] = found;
  // Several faults in a list make one correction; further on in a long text words of fault turn up by themselves.
  let sure = 1 - others.slice(0, 3).reduce((left, one) => left * (1 - 0.4 * one), 1 - first);
  const count = words.split(' ').length;
  if (count <= SHORT) sure = 1 - (1 - sure) * 0.7;
  if (count > LONG) sure *= 0.75;
  // Content, or already elsewhere; unless there is a "but".
  const turns = TURNS.test(words);
  if (language.praise.test(words)) sure *= turns ? 0.95 : 0.6;
  else if (language.further.test(words)) sure *= turns ? 0.9 : 0.75;
  // An answer, or a refusal of what was offered: nothing was done yet.
  return asked ? sure * 0.6 : sure;
}

/** A word by which a sentence takes a turn. */
const TURNS =
  /(?<![\p{L}])(?:but|however|except|though|although|yet|aber|allerdings|jedoch|nur|mais|sauf|par contre|pourtant|pero|salvo|excepto|sin embargo|mas|porem|so que|exceto|ma|pero|tranne|pero|maar|behalve|alleen|ale|tylko|jednak|но|только|однако|кроме)(?![\p{L}])|但|不过|可是|只是|でも|けど|ただ|しかし|ですが/u;

const MAX_SENTENCES = 40;
const SHORT = 7;
const LONG = 60;

function faultOf(sentence: string, language: CompiledWords, { index, meant }: SentencePlace): number {
  const place = index === 0 ? 1 : index === 1 ? 0.92 : 0.75;
  let doubts = 1;
  let personal = meant || REFERS.test(sentence) || ADDRESSED.test(sentence);
  for (const { kind, sayings } of language.faults) {
    let surest = 0;
    for (const { weight, pattern } of sayings) {
      if (weight <= surest) continue;
      const at = sentence.search(pattern);
      if (at < 0) continue;
      // Said first it is an order; elsewhere it is often what is being built.
      surest = kind === 'undo' && at <= 24 && index === 0 ? Math.max(weight, 0.84) : weight;
    }
    if (surest >= 0.5 && POINTING.includes(kind)) personal = true;
    doubts *= 1 - surest * (PERSONAL.includes(kind) ? Math.max(place, 0.92) : place);
  }
  // That something is wrong, or should be otherwise, is said of anything; of the agent's work only where it is pointed at.
  return personal ? 1 - doubts : Math.min(1 - doubts, UNPOINTED);
}

interface SentencePlace {
  index: number;
  /** There is nothing else that it could be about. */
  meant: boolean;
}

const UNPOINTED = 0.72;
/** Faults that are found with somebody, or with what was just there. */
const POINTING: readonly string[] = ['accusing', 'unasked', 'undo', 'polite'];
/** Begins with a word for what was just done. */
const REFERS =
  /^(?:(?:no|nope|nein|non|nee|nie|нет|hmm?|ok|okay|but|aber|mais|pero|mas|ma|maar|ale|но) )?(?:thats?|this|its?|das|dies|es|so|ca|cest|cela|ce|eso|esto|asi|isso|isto|assim|questo|quello|cosi|e |dat|dit|zo|to|tak|это|так|それ|これ|その|この|これら|这|那)/u;

/** What is said to the agent's face is meant for it wherever it stands. */
const PERSONAL: readonly string[] = ['accusing', 'unasked', 'claim'];

/** The last thing the agent said was a question or an offer. */
function asksSomething(message: string): boolean {
  const last = message.slice(-ASKING).toLowerCase();
  return /[?？]/.test(last) || OFFERS.test(last);
}

const ASKING = 240;
/** An offer that needs no question mark. */
const OFFERS =
  /if you (?:want|like|prefer|d like)|let me know|happy to|want me to|shall i|should i|wenn du (?:willst|möchtest|magst)|sag (?:mir )?bescheid|soll ich|si tu (?:veux|préfères)|dis-moi|si quieres|dime si|se (?:você )?quiser|me (?:avise|diga)|se vuoi|fammi sapere|als je (?:wilt|wil)|laat (?:me|het) weten|zal ik|jeśli chcesz|daj znać|если (?:хочешь|хотите|нужно)|дай(?:те)? знать|よければ|必要でしたら|ましょうか|お知らせください|如果(?:你|您)?(?:需要|想|要)|需要的话|要不要/u;

function whatTheAgentDid({ message, tools, edited }: PromptBefore): string {
  if (message.trim() !== '') return message;
  if (edited.length > 0) return `changed ${edited.slice(0, 5).join(', ')}`;
  return tools
    .slice(-3)
    .map(({ tool, target }) => `${tool} ${target}`)
    .join('; ');
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_QUOTE ? line : `${line.slice(0, MAX_QUOTE - 1).toWellFormed()}…`;
}
