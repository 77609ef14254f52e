import { isBasicCredential, isReference, isSecretValue, looksRandom } from './looks-secret.ts';
import { secretMarker, withoutMarkers } from './secret-marker.ts';

export interface SecretPattern {
  kind: string;
  /** One of these, in any case of letters, is in everything that the pattern matches. */
  hints: readonly string[];
  /** A group named `keep` stays in front of what is scrubbed. */
  pattern: RegExp;
  /** The last word where a pattern alone would take too much. `before` is the text that leads up to the match. */
  accepts?: (secret: string, before: string) => boolean;
  /** Scrubs parts of what was matched, instead of all of it. */
  rewrite?: (secret: string) => string;
}

/**
 * A token does not begin inside a word. In command output a word may seem to lead up to one: an escaped line break
 * (`\nghp_…`), a percent escape, a colour code.
 */
const ESCAPED = String.raw`(?<=\\[nrtbf]|%[0-9A-Fa-f]{2}|\\u[0-9a-fA-F]{4}|\u001b\[[0-9;]{0,12}m)`;
const START = `(?:(?<![A-Za-z0-9])|${ESCAPED})`;
/** A run of a token's own characters holds one start only, or `-eyJ-eyJ…` would take quadratic time. */
const START_OF_RUN = `(?:(?<![\\w-])|${ESCAPED})`;

/**
 * A token that is known by how it starts. All of the word is scrubbed, so that no part of a longer one is left, and
 * so that what follows a marker never begins in the middle of a word.
 */
function token(kind: string, starts: readonly string[], body: string): SecretPattern {
  const start = `(?:${starts.map((text) => text.replace(/[.^$*+?()[\]{}|\\/]/g, '\\$&')).join('|')})`;
  // The start comes first: an engine finds a literal much faster than it looks back at every place.
  return { kind, hints: starts, pattern: new RegExp(`${start}(?<=${START}${start})${body}[\\w-]*`, 'g') };
}

/** It looks no further than it must: without a bound, `sk-sk-sk-…` would take quadratic time. */
const HAS_DIGIT = '(?=[A-Za-z-]{0,48}\\d)';

const TOKENS: readonly SecretPattern[] = [
  token('anthropic-key', ['sk-ant-'], '[\\w-]{16,}'),
  token('openai-key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-', 'sk-service-'], '[\\w-]{20,}'),
  token('openrouter-key', ['sk-or-v1-'], '[\\w-]{20,}'),
  token('langfuse-key', ['sk-lf-'], '[\\w-]{20,}'),
  token('openai-key', ['sk-'], `${HAS_DIGIT}[A-Za-z0-9]{20,}`),
  token('groq-key', ['gsk_'], '[A-Za-z0-9]{30,}'),
  token('xai-key', ['xai-'], '[A-Za-z0-9]{40,}'),
  token('perplexity-key', ['pplx-'], '[A-Za-z0-9]{30,}'),
  token('replicate-token', ['r8_'], '[A-Za-z0-9]{30,}'),
  token('huggingface-token', ['hf_', 'api_org_'], '[A-Za-z0-9]{30,}'),
  token('google-key', ['AIza'], '[\\w-]{30,}'),
  token('google-key', ['AQ.Ab'], '[\\w-]{30,}'),
  token('google-oauth', ['ya29.', 'GOCSPX-', '1//0'], '[\\w-]{20,}(?:\\.[\\w-]{4,})*'),
  token('pinecone-key', ['pcsk_'], '\\w{40,}'),
  token('tavily-key', ['tvly-'], '[\\w-]{20,}'),
  token('nvidia-key', ['nvapi-'], '[\\w-]{40,}'),
  token('langsmith-key', ['lsv2_pt_', 'lsv2_sk_'], '[a-f0-9]{32}_'),
  token('databricks-token', ['dapi'], '[a-f0-9]{32}'),
  token('aws-key', ['ABSK'], '[A-Za-z0-9+/]{100,}={0,2}'),
  token('aws-session-token', ['FwoGZXIvYXdz', 'IQoJb3JpZ2lu'], '[A-Za-z0-9+/%=_-]{60,}'),
  token(
    'github-token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    '(?:\\d{1,12}_)?[A-Za-z0-9]{20,}[\\w-]*(?:\\.[\\w-]{8,})*',
  ),
  token('github-token', ['github_pat_'], '\\w{20,}'),
  token(
    'gitlab-token',
    [
      'glpat-',
      'gldt-',
      'glptt-',
      'glrt-',
      'glrtr-',
      'glcbt-',
      'glsoat-',
      'glft-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glffct-',
    ],
    '[\\w-]{16,}(?:\\.[\\w-]{2,})*',
  ),
  token('gitlab-token', ['GR1348941'], '[\\w-]{16,}'),
  token('bitbucket-token', ['ATBB'], `${HAS_DIGIT}[A-Za-z0-9]{24,}`),
  token('atlassian-token', ['ATATT3', 'ATCTT3'], '[\\w=-]{40,}'),
  token(
    'slack-token',
    ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxe.xox', 'xapp-'],
    `${HAS_DIGIT}[A-Za-z0-9%/+=-]{10,}`,
  ),
  token('stripe-key', ['sk_live_', 'sk_test_', 'sk_org_', 'rk_live_', 'rk_test_'], '[A-Za-z0-9_]{16,}'),
  token('webhook-secret', ['whsec_'], '[A-Za-z0-9+/=]{16,}'),
  token('square-token', ['sq0atp-', 'sq0csp-', 'EAAAE', 'EAAAl'], '[\\w-]{22,}'),
  token('shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], '[a-fA-F0-9]{32}'),
  token('npm-token', ['npm_'], '[A-Za-z0-9]{30,}'),
  token('pypi-token', ['pypi-'], '[\\w-]{30,}'),
  token('rubygems-key', ['rubygems_'], '[a-f0-9]{48}'),
  token('docker-token', ['dckr_pat_', 'dckr_oat_'], '[\\w-]{20,}'),
  token('heroku-key', ['HRKU-'], '[\\w-]{30,}'),
  token('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], '[a-f0-9]{40,}'),
  token('fly-token', ['fm1_', 'fm2_', 'fo1_'], '[\\w+/=-]{30,}(?:,fm2_[\\w+/=-]{30,})*'),
  token('netlify-token', ['nfp_'], '[A-Za-z0-9]{30,}'),
  token('supabase-key', ['sbp_', 'sb_secret_'], '\\w{20,}'),
  token('planetscale-token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], '[\\w.=-]{30,}'),
  token('vault-token', ['hvs.', 'hvb.', 'hvr.'], '[\\w-]{20,}'),
  token('pulumi-token', ['pul-'], '[a-f0-9]{40}'),
  token('doppler-token', ['dp.pt.', 'dp.st.', 'dp.sa.', 'dp.ct.', 'dp.scim.', 'dp.audit.'], '[\\w.-]{30,}'),
  token('1password-token', ['ops_eyJ'], '[\\w+/=-]{40,}'),
  token('age-key', ['AGE-SECRET-KEY-1', 'AGE-PLUGIN-'], '[A-Z0-9-]{40,}'),
  token('sendgrid-key', ['SG.'], '[\\w-]{16,}\\.[\\w-]{16,}'),
  token('brevo-key', ['xkeysib-', 'xsmtpsib-'], '[\\w-]{40,}'),
  token('mailgun-key', ['key-'], '[0-9a-f]{32}(?![0-9a-f])'),
  token('resend-key', ['re_'], `[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`),
  token('twilio-key', ['SK'], '[0-9a-f]{32}(?![0-9a-f])'),
  token('sentry-token', ['sntrys_', 'sntryu_'], '[\\w+/=]{30,}'),
  token('newrelic-key', ['NRAK-', 'NRII-', 'NRIQ-', 'NRSP-'], '[\\w-]{20,}'),
  token('grafana-token', ['glsa_', 'glc_'], '[\\w+/=]{30,}'),
  token('dynatrace-token', ['dt0c01.', 'dt0s01.', 'dt0s16.'], '[\\w.]{40,}'),
  token('postman-key', ['PMAK-'], '[\\w-]{40,}'),
  token('linear-key', ['lin_api_', 'lin_oauth_'], '[A-Za-z0-9]{30,}'),
  token('notion-token', ['ntn_', 'secret_'], `${HAS_DIGIT}[A-Za-z0-9]{40,}`),
  token('figma-token', ['figd_', 'figu_'], '[\\w-]{30,}'),
  token('sonar-token', ['squ_', 'sqp_', 'sqa_'], '[a-f0-9]{40}'),
  token('sourcegraph-token', ['sgp_'], '[\\w-]{40,}'),
  token('circleci-token', ['CCIPAT_'], '\\w{40,}'),
  token('buildkite-token', ['bkua_'], '[a-z0-9]{40}'),
  token('tailscale-key', ['tskey-'], '[\\w-]{20,}'),
  token('alibaba-key', ['LTAI'], `${HAS_DIGIT}[A-Za-z0-9]{16,}`),
  token('openshift-token', ['sha256~'], '[\\w-]{40,}'),
  // Base64 of `-----BEGIN … PRIVATE KEY`, as in a kubeconfig.
  token(
    'private-key',
    [
      'LS0tLS1CRUdJTiBQUklWQVRF',
      'LS0tLS1CRUdJTiBSU0Eg',
      'LS0tLS1CRUdJTiBFQyBQ',
      'LS0tLS1CRUdJTiBPUEVOU1NI',
      'LS0tLS1CRUdJTiBFTkNSWVBURUQ',
      'LS0tLS1CRUdJTiBEU0Eg',
    ],
    '[A-Za-z0-9+/=]{20,}(?:\\s{1,12}[A-Za-z0-9+/=]{40,})*',
  ),
];

const AWS_SECRET = '[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])';
/** What may stand in the password of a URL. A slash may not, since `host:port/path@x` is no password. */
const URL_TEXT = String.raw`[^\s/?#'"<>\\\x60]`;
/** It ends before the next URL, or many of them in a row would take quadratic time. */
const DATABASE_PASSWORD = String.raw`[^\s'"<>\\\x60:]*(?::(?!\/\/)[^\s'"<>\\\x60:]*)*`;
const URL_USER = String.raw`:\\?\/\\?\/[^\s:@/?#'"<>\\[\]]{0,200}:`;
const DATABASES =
  'postgres(?:ql)?|cockroachdb|mysql|mariadb|mongodb|rediss?|valkey|amqps?|mssql|sqlserver|oracle|clickhouse|ldaps?|smtps?|nats|couchdb|neo4j|bolt';

/** Formats that are known by more than a prefix. */
const SHAPES: readonly SecretPattern[] = [
  {
    kind: 'aws-key',
    hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    // Exports of keys have the secret next to the id.
    pattern: new RegExp(
      `(?:AKIA|ASIA|ABIA|ACCA)(?<=${START}.{4})[A-Z0-9]{16}(?![A-Z0-9])[\\w-]*(?:[\\s,:;|"']{1,8}${AWS_SECRET})?`,
      'g',
    ),
  },
  {
    kind: 'jwt',
    hints: ['eyJ'],
    pattern: new RegExp(
      `${START_OF_RUN}eyJ[\\w-]{8,}\\.(?:[\\w-]{8,}(?:\\.[\\w-]*){0,3}|\\.[\\w-]{8,}(?:\\.[\\w-]*){0,2})`,
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
    // Passwords of databases are often written without escapes. The user's name stays: it says which account leaked.
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

/** `user:password@host` is how the form of a URL is explained. */
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

/** Every known form of a credential but keys in PEM and values that only their name betrays. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  ...TOKENS,
  ...SHAPES,
  ...HEADERS,
  ...URLS,
  ...COMMANDS,
];
