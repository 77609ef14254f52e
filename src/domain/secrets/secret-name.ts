/**
 * How strongly a name suggests a secret.
 * - `password`: any literal may be one.
 * - `credential`: an API key, a client secret; made by a machine, so it has digits or is long.
 * - `guess`: `pass`, `pwd`, `secret`, which name other things as well.
 * - `vague`: `token`, `credentials`; only a value that looks random counts.
 * - `basic-auth`: `auth`; only base64 of `user:password` counts.
 */
export type SecretName = 'password' | 'credential' | 'guess' | 'vague' | 'basic-auth';

/** Every recognised name contains one of these. */
export const NAME_STEMS = [
  'pass',
  'pwd',
  'secret',
  'token',
  'key',
  'credential',
  'auth',
  'sessid',
  'sessionid',
  'connect.sid',
] as const;
export const NAME_STEM = new RegExp(NAME_STEMS.join('|').replace('.', '\\.'), 'i');

const MAX_NAME = 100;

/** Suffixes after the keyword: PASSWORD_2, TOKEN_PROD, SECRET_KEY_BASE. */
const TRAILING =
  /(?:_?\d|_(?:v|prod|production|staging|dev|development|live|test|testing|old|new|current|value|plain|plaintext|raw|b64|base64|encoded|string|text|default|base))+$/;

const PASSWORD =
  /(?:password|passwd|passphrase|passcode|(?:store|key|user|db|require|smtp|mail|sql|root|admin|ftp|bind|redis|proxy)_?pass|[a-z0-9]_pwd)$/;

/** `resetPassword: '/reset'` names an action, `hasPassword` a fact. */
const ACTION =
  /(?:^|_)(?:forgot|reset|change|update|hash|check|verify|validate|compare|encrypt|require|requires|show|hide|toggle|has|is|no|needs|invalid|wrong|min|max|use|strong|weak)_?(?:the_)?password$/;

const CREDENTIAL =
  /(?:api|access|secret|private|account|encryption|signing|subscription|(?:^|_)(?:app|application|auth|master|service|admin|deploy|shared|storage|license|client|server|webhook|integration|write|ingest|functions?|root|cipher|hmac|jwt|decryption|security|consumer|wallet|rails_master|data|maps))_?key$|[a-z0-9]_?secret$|[a-z0-9]_token$|(?:access|auth|api|bearer|refresh|id|bot|csrf|identity|registry|private|session|secret|security)token$/;

/** Tokens of parsers, language models and pagination. */
const OTHER_TOKEN =
  /(?:^|_)(?:next|prev|previous|page|paging|pagination|continuation|cancel|cancellation|sync|resume|cursor|start|end|eof|bos|eos|unk|pad|sep|cls|mask|stop|special|design|first|last|current|peek|lookahead|num|max|min|per|total|syntax|lexer|parser|keyword|identifier|string|comment|abort|color|css|word|sub|reserved|line|request|idempotency|public_key|open|close|left|right|input|output|prompt|completion|cached|reasoning)_?token$/;

/** How likely a key, variable, flag or header of this name contains a secret. */
export function secretNamed(name: string): SecretName | undefined {
  const end = name.slice(-MAX_NAME);
  if (!NAME_STEM.test(end)) return undefined;
  const words = end
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(TRAILING, '');
  if (ACTION.test(words)) return 'vague';
  if (PASSWORD.test(words)) return 'password';
  if (words === 'pass' || words === 'pwd' || words === 'secret') return 'guess';
  if (OTHER_TOKEN.test(words)) return undefined;
  if (CREDENTIAL.test(words)) return 'credential';
  if (/(?:^|_)(?:token|credentials?|authorization|jsessionid|phpsessid|connect_sid|auth_key)$/.test(words))
    return 'vague';
  if (/_pass$/.test(words)) return 'guess';
  if (/(?:^|_)auth$/.test(words)) return 'basic-auth';
  return undefined;
}
