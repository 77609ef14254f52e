import { withoutMarkers } from './secret-marker.ts';
import type { SecretName } from './secret-name.ts';

/**
 * How a value was written, which decides how likely it is a secret.
 * - `quoted`: a string in code or JSON.
 * - `literal`: `DB_PASSWORD=…` in a shell or a .env file, `--password=…`: a variable would need a `$` there.
 * - `plain`: everything else, prose and code and YAML alike.
 */
export type ValueForm = 'quoted' | 'literal' | 'plain';

/** `${x}`, `$x`, `<x>`, `{{x}}`, `%x%`, `:x`, masks: placeholders, not secrets. */
const REFERENCES: readonly RegExp[] = [
  /^[^A-Za-z0-9]*$/,
  // A version or a regular expression.
  /^[\^~<>=v]{0,3}\d+\.\d+(?:\.[\dx*]+)?(?:[-+][\w.+-]*)?$|A-Za-z|a-z0-9|\\[dws]|\(\?[:=!<]/,
  /\$\{|\{\{|\$\(|#\{|<%|%[({]|%[sd](?![0-9a-f])|\*{3}|\u2022|\.{3}|\u2026|x{6}|^x+$/i,
  /^<[^<>]*>$|^\{[^{}]*\}$|^\[[^[\]]*\]$/,
  /^\$\$?[A-Za-z_]\w*$|^%\w+%$|^[:@&?][A-Za-z_]+$|^\$env:/,
  /^!(?:Ref|Sub|GetAtt|Join|ImportValue|vault|reference|secret)\b/,
  /:\/\/|^(?:arn|op|vault|ssm|kms|sops|ref|projects|file|env|data)[:/]/,
  // A constant's name.
  /^[A-Z][A-Z]*\d{0,2}(?:_[A-Z]*\d{0,2})+$/,
];

/** Code without quotes: a call, an index, a list. */
const CODE = /^([A-Za-z_$][\w$]*!?(?:(?:\?\.|\.|::|->)#?[\w$]+!?)*(?:\?\.)?)?[([{]/;
const MEMBER = /^[A-Za-z_$][\w$]*!?(?:(?:\?\.|\.|::|->)#?[A-Za-z_$][\w$]*!?)+$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/;
const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|py|rb|go|rs|java|md|txt|pem|key|crt|env|sh|sql|html|lock|cfg|conf|ini)(?::\d+)*$/i;

const PLACEHOLDER_WORDS =
  /^(?:str|strings?|text|var(?:char)?|char|int|integer|number|bool|boolean|object|function|symbol|bigint|promise|array|any|unknown|void|never|buffer|bytes|uuid|null|nullable|none|nil|undefined|true|false|yes|enabled|disabled|required|optional|missing|invalid|incorrect|wrong|correct|valid|matches|empty|blank|unset|default|hidden|masked|removed|omitted|prompt|stdin|ask|here|value|sample|dummy|fake|todo|same|this|self|see|type|field|input|form|label|name|user|username|email|hash|hashed|plain|plaintext|encrypted|bcrypt|argon|scrypt|env|vault|config|current|with|from|that|must|should|will|when|then|and|for|not|are|was|has|have|does|cannot|can|is|in|on|to|of|or|the|a|an)$/i;
const PLACEHOLDER_PARTS =
  /pass-?word|passwd|passphrase|passwort|secret|token|(?:api|private)[_-]?key|credential|your|example|placeholder|redact|change[_-]?me|replace|insert|scrubbed/i;

/** Common technical words with digits. */
const TECHNICAL =
  /^(?:utf-?\d{1,2}[a-z]*\d?|base\d{2}[a-z]*|sha-?\d{1,3}(?:[-_a-z][\w-]*)?|md\d|u?int\d{1,3}[a-z]*|float\d+|http\d|x\.?509|o?auth\d?[a-z]*|bcrypt\d*|argon2\w*|p?bkdf2\w*|var(?:char|binary)\W?\d*\W?|unicode\d+|ed25519|x25519|secp\d+\w\d|[rehp]s\d{3}|aes-?\d{3}[a-z]*|k8s|ec2|i18n|a11y|l10n|ipv?[46]|es20\d\d|latin1|win\d+|h264|node\d+|python\d[\d.]*|v?\d{1,4}(?:[._-]\d{1,4})*[a-z]{0,12}|\d[\d,.:_-]*%?)$/i;
const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?$/;
const ID = /^[A-Z]{2,}(?:-[A-Z0-9]{1,12}){0,6}-[A-Z]?\d{1,6}$/;

/** Words that occur in sentences but not in passphrases. */
const PROSE =
  /(?:^|\s)(?:is|are|was|must|be|the|a|an|at|required|invalid|incorrect|missing|not|should|cannot|your|please|enter|and|or|of|for|to|with|in|too|does|has|have|from|see|it|this|by|as|if|no)(?=[\s,.:]|$)/i;

/** Enough to decide, and it bounds the cost for hostile text. */
const JUDGED_LENGTH = 128;

/** Decides by name, form and content whether a value is a secret. Markers in it are ignored. */
export function isSecretValue(name: SecretName, form: ValueForm, value: string): boolean {
  const rest = withoutMarkers(value).slice(0, JUDGED_LENGTH);
  if (rest.length < 4) return false;
  const mustBeRandom = name === 'vague' || (name === 'guess' && form === 'plain');
  if (mustBeRandom && !looksRandom(rest)) return false;
  if (name === 'guess' && !mustBeRandom && !isMixed(rest)) return false;
  if (isReference(rest) || (form === 'plain' && isCode(rest))) return false;
  if (name === 'basic-auth') return isBasicCredential(rest);
  if (/\s/.test(rest)) return name === 'password' && form === 'quoted' && isPassphrase(rest);
  if (isPlaceholder(rest)) return false;
  if (mustBeRandom) return true;
  if (name === 'password') return form === 'plain' ? isMixed(rest) : form === 'quoted' || !isFile(rest);
  if (name === 'guess') return !isSlug(rest) && !PATH.test(rest);
  if (rest.length < 8 || isSlug(rest) || isFile(rest)) return false;
  if (isMixed(rest)) return form !== 'plain' || !isWordy(rest);
  return form !== 'plain' && rest.length >= 12 && /^[A-Za-z0-9]+$/.test(rest);
}

/** Whether the text only points to a secret: a variable, a template, a mask, an expression. */
export function isReference(whole: string): boolean {
  const value = whole.slice(0, JUDGED_LENGTH);
  if (REFERENCES.some((reference) => reference.test(value))) return true;
  return MEMBER.test(value) && isIdentifier(value);
}

function isIdentifier(value: string): boolean {
  return isWordy(value) || PLACEHOLDER_PARTS.test(value);
}

function isCode(value: string): boolean {
  const match = CODE.exec(value);
  return match !== null && isIdentifier(match[1] ?? '');
}

/** Whether this looks random rather than like words, numbers and names. */
export function looksRandom(whole: string): boolean {
  const value = whole.slice(0, JUDGED_LENGTH);
  if (value.length < 12 || !/^[\w+/.~%-]+={0,2}$/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (!/\d/.test(value) && (value.length < 16 || value.includes('.'))) return false;
  return !isWordy(value) && !TIME.test(value) && !ID.test(value) && !TECHNICAL.test(value);
}

/** Whether this is base64 of `user:password`. */
export function isBasicCredential(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{6,}={0,2}$/.test(value)) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(value.slice(0, 4000), 'base64').toString('latin1'));
}

function isPlaceholder(value: string): boolean {
  const bare = value.replace(/[!?;,.]+$/, '');
  if (PLACEHOLDER_WORDS.test(bare)) return true;
  // `authMD5Password` is a name, `Password123` a password.
  const isName =
    /^[A-Za-z_.-]+$/.test(bare) ||
    (/^[A-Za-z]\w*$/.test(bare) && /[a-z][A-Z]/.test(bare) && /\d[A-Z]/.test(bare) && isWordy(bare));
  return isName && PLACEHOLDER_PARTS.test(bare);
}

function isPassphrase(value: string): boolean {
  return value.trim().split(/\s+/).length >= 4 && !PROSE.test(value);
}

/** Letters mixed with digits or punctuation, except common words of that form. */
function isMixed(value: string): boolean {
  if (value.length < 6 || !/[\d!@#$%^&*~=]/.test(value)) return false;
  if (isFile(value) || TIME.test(value) || ID.test(value)) return false;
  if (/^\d+$/.test(value)) return true;
  if (TECHNICAL.test(value)) return false;
  if (isSlug(value) && (value.includes('/') || !/[A-Za-z]\d|\d[A-Za-z]/.test(value))) return false;
  const inner = value.replace(/^[&*@!?]+|[!?*]+$/g, '');
  if (!/[A-Za-z]/.test(inner)) return false;
  return /\d/.test(inner) || (value.length >= 8 && /[!@#$%^&*~]|=$/.test(inner));
}

function isFile(value: string): boolean {
  return FILE_NAME.test(value) || (PATH.test(value) && isWordy(value));
}

/** Words joined by punctuation: `my-app-v2`, `kv/data/db`, `auth.service`. */
function isSlug(value: string): boolean {
  return /^[\w./:-]+$/.test(value) && /[^A-Za-z0-9]/.test(value) && isWordy(value);
}

/** Whether every run of letters and digits is a word, a camelCase name or a short number. */
function isWordy(value: string): boolean {
  return value.split(/[^A-Za-z0-9]+/).every(isWord);
}

/** Names consist of words: longer than one letter, with a vowel, and rarely with a second number. */
function isWord(part: string): boolean {
  if (/^(?:[A-Za-z]?\d{1,4}|[a-z]*|[A-Z]*)$/.test(part)) return true;
  const numbers = part.match(/\d+/g) ?? [];
  if (numbers.length > 1 || (numbers[0]?.length ?? 0) > 4) return false;
  const words = part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const odd = words.filter((word) => word.length === 1 || !/[aeiouy]/i.test(word));
  const letters = part.length - (numbers[0]?.length ?? 0);
  return odd.length <= 1 && (words.length === 1 || letters >= (part.length < 20 ? 2.5 : 3.2) * words.length);
}
