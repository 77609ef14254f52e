import { isBasicCredential, isReference, isSecretValue, looksRandom } from './looks-secret.ts';
import { secretMarker, withoutMarkers } from './secret-marker.ts';
import { SECRET_TOKENS, type SecretPattern, START, START_OF_RUN } from './secret-tokens.ts';

const AWS_SECRET = '[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])';
/** Characters of a password in a URL. No slash: `host:port/path@x` has no password. */
const URL_TEXT = String.raw`[^\s/?#'"<>\\\x60]`;
/** Ends before the next URL; otherwise many URLs in a row take quadratic time. */
const DATABASE_PASSWORD = String.raw`[^\s'"<>\\\x60:]*(?::(?!\/\/)[^\s'"<>\\\x60:]*)*`;
const URL_USER = String.raw`:\\?\/\\?\/[^\s:@/?#'"<>\\[\]]{0,200}:`;
const DATABASES =
  'postgres(?:ql)?|cockroachdb|mysql|mariadb|mongodb|rediss?|valkey|amqps?|mssql|sqlserver|oracle|clickhouse|ldaps?|smtps?|nats|couchdb|neo4j|bolt';

/** Formats recognised by more than a prefix. */
const SHAPES: readonly SecretPattern[] = [
  {
    kind: 'aws-key',
    hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    // Key exports have the secret next to the id.
    pattern: new RegExp(
      `(?:AKIA|ASIA|ABIA|ACCA)(?<=${START}.{4})[A-Z0-9]{16}(?![A-Z0-9])[\\w-]*(?:[\\s,:;|"']{1,8}${AWS_SECRET})?`,
      'g',
    ),
  },
  {
    kind: 'jwt',
    hints: ['eyJ'],
    pattern: new RegExp(
      `${START_OF_RUN}eyJ[\\w-]{8,}\\.(?:[\\w-]{8,}(?:\\.[\\w-]+){0,3}|\\.[\\w-]{8,}(?:\\.[\\w-]+){0,2})`,
      'g',
    ),
  },
  { kind: 'telegram-token', hints: [':AA'], pattern: /(?<!\d)\d{8,10}:AA[\w-]{32,}/g },
  {
    kind: 'discord-token',
    hints: ['.G', '.X', '.Y', '.Z', '.C', '.D', '.E', '.F', '.H'],
    pattern: new RegExp(`[MNO](?<=${START_OF_RUN}.)[\\w-]{23,27}\\.[C-HX-Z][\\w-]{5}\\.[\\w-]{27,}`, 'g'),
  },
  { kind: 'terraform-token', hints: ['.atlasv1.'], pattern: /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/g },
  { kind: 'azure-secret', hints: ['Q~'], pattern: /[\w~.]{3}\dQ~[\w~.-]{31,}/g },
  {
    kind: 'mailchimp-key',
    hints: ['-us'],
    pattern: new RegExp(`${START_OF_RUN}[0-9a-f]{32}-us\\d{1,2}[\\w-]*`, 'g'),
  },
  {
    kind: 'webhook-url',
    hints: ['hooks.slack.com', '/api/webhooks/', 'webhook.office.com', 'hooks.zapier.com'],
    pattern:
      /(?<keep>hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/|webhook\.office\.com\/webhookb2\/|hooks\.zapier\.com\/hooks\/catch\/)[\w@/-]{10,}/g,
  },
  {
    kind: 'password-hash',
    hints: ['$2', '$argon2', '$1$', '$5$', '$6$', '$y$', '$apr1$'],
    pattern:
      /\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$v=\d{1,3}\$[\w=,]{1,60}\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{16,}|\$(?:1|5|6|y|apr1)\$(?:[\w=./]{1,60}\$){1,2}[./A-Za-z0-9]{20,}/g,
  },
  {
    kind: 'putty-key',
    hints: ['Private-Lines: '],
    pattern:
      /(?<keep>Private-Lines: \d{1,3}(?:\s{1,4}|(?:\\r)?\\n))(?:[A-Za-z0-9+/=]{1,64}(?:\r?\n|(?:\\r)?\\n|$)){1,500}/g,
  },
];

const URLS: readonly SecretPattern[] = [
  {
    kind: 'url-password',
    hints: [':/', ':\\/'],
    // Database passwords are often unescaped. The user name stays, to show which account leaked.
    pattern: new RegExp(
      `(?<keep>\\b(?:${DATABASES})(?:\\+[a-z0-9]{1,20})?${URL_USER})${DATABASE_PASSWORD}(?=@)`,
      'gi',
    ),
    accepts: isUrlPassword,
  },
  {
    kind: 'url-password',
    hints: [':/', ':\\/'],
    pattern: new RegExp(`(?<keep>${URL_USER})${URL_TEXT}+(?=@)`, 'g'),
    accepts: isUrlPassword,
  },
  {
    kind: 'url-token',
    hints: [':/', ':\\/'],
    pattern: /(?<keep>:\\?\/\\?\/)[\w-]{20,}(?=@|:[^\s@/]{0,100}@)/g,
    accepts: looksRandom,
  },
  {
    kind: 'url-signature',
    hints: ['sig=', 'signature=', 'security-token=', 'code='],
    pattern: /(?<keep>(?:\b(?:sig|signature|x-amz-security-token)|[?&]code)=)[\w%+/~.-]{30,}={0,2}/gi,
    accepts: looksRandom,
  },
];

/** `user:password@host` is a common placeholder in documentation. */
function isUrlPassword(secret: string): boolean {
  const rest = withoutMarkers(secret);
  return rest.length > 0 && !/^pass(?:word)?$/i.test(rest) && !isReference(rest);
}

const HEADERS: readonly SecretPattern[] = [
  {
    kind: 'authorization',
    hints: ['bearer'],
    pattern: /(?<keep>\bbearer(?::?[ \t]{1,4}|%20)\\{0,8}["']?)[\w+/.~-]{12,}={0,2}/gi,
    accepts: looksRandom,
  },
  {
    kind: 'authorization',
    hints: ['basic'],
    pattern: /(?<keep>\bbasic(?:[ \t]{1,4}|%20))[A-Za-z0-9+/]{6,}={0,2}/gi,
    accepts: isBasicCredential,
  },
  {
    kind: 'authorization',
    hints: ['authorization'],
    pattern:
      /(?<keep>\bauthorization\\{0,8}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,8}["']?(?:[a-z][a-z0-9-]{1,20}[ \t]{1,4})?(?:[a-z]{1,12}=\\{0,8}["']?)?)[\w+/.~-]{12,}={0,2}/gi,
    accepts: looksRandom,
  },
  {
    kind: 'cookie',
    hints: ['cookie'],
    pattern: /(?<keep>\b(?:set-)?cookie\\{0,8}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,8}["']?)[^\r\n"'\\]{8,}/gi,
    rewrite: scrubCookies,
  },
];

/** Scrubs the values of a cookie header that look random; attributes and flags stay. */
export function scrubCookies(header: string): string {
  return header.replace(/=([^;\s,"']{12,})/g, (pair, value: string) =>
    looksRandom(withoutMarkers(value).replaceAll('%', '')) ? `=${secretMarker('cookie')}` : pair,
  );
}

/** Passwords among the arguments of a command. */
const COMMANDS: readonly SecretPattern[] = [
  {
    kind: 'command-password',
    hints: ['-u', '-U', '--user', '--proxy-user'],
    pattern: /(?<keep>(?<=[\s"'])(?:-[uU]|--user|--proxy-user)[ \t=]{0,4}["']?[^\s:"'/=]{1,100}:)[^\s"']+/g,
    accepts: (secret, before) => /\bcurl\b/.test(before) && !isReference(secret),
  },
  {
    kind: 'command-password',
    hints: [' -p'],
    pattern: /(?<keep> -p["']?)[^\s"'-][^\s"']{2,}/g,
    accepts: (secret, before) =>
      /\b(?:mysql\w*|mariadb[\w-]*|sshpass)\b[^\n|;&]*$/.test(before) &&
      !/^(?:assword|ort\b|rotocol|lugin|[\d:.]+$)/.test(secret) &&
      !isReference(secret),
  },
  {
    kind: 'command-password',
    hints: [' -p ', ' -a ', ' --pass '],
    pattern: /(?<keep> (?:-[pa]|--pass) ["']?)[^\s"'-][^\s"']{2,}/g,
    accepts: (secret, before) =>
      /\b(?:sshpass|login|mongo\w*|redis-cli)\b[^\n|;&]*$/.test(before) &&
      !/^[\d:.]+$/.test(secret) &&
      !isReference(secret),
  },
  {
    kind: 'command-password',
    hints: ['pass:'],
    pattern: /(?<keep>-pass(?:in|out)?[ \t]{1,4}["']?pass:)[^\s"']+/g,
    accepts: (secret) => !isReference(secret),
  },
  {
    kind: 'command-password',
    hints: ['machine'],
    pattern:
      /(?<keep>\bmachine\s{1,8}\S{1,100}\s{1,8}login\s{1,8}\S{1,100}\s{1,8}password[ \t]{1,8})[^\s"']+/gi,
    accepts: (secret) => withoutMarkers(secret).length > 0 && !isReference(secret),
  },
  {
    kind: 'sql-password',
    hints: ["password '", "identified by '"],
    pattern: /(?<keep>\b(?:identified by|password) ')[^'\s]{4,}(?=')/gi,
    accepts: (secret) => isSecretValue('password', 'quoted', secret),
  },
  {
    kind: 'config-password',
    hints: ['requirepass', 'masterauth'],
    pattern: /(?<keep>\b(?:requirepass|masterauth)[ \t]{1,8}["']?)[^\s"']{4,}/g,
    accepts: (secret) => isSecretValue('password', 'plain', secret),
  },
];

/** Every known credential format except PEM keys and values recognised only by name. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  ...SECRET_TOKENS,
  ...SHAPES,
  ...HEADERS,
  ...URLS,
  ...COMMANDS,
];
