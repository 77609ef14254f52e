export interface SecretPattern {
  kind: string;
  /** Every match contains one of these, ignoring case. */
  hints: readonly string[];
  /** A group named `keep` stays before the marker. */
  readonly pattern: RegExp;
  /** Filters matches of a pattern that is too broad. `before` is the text before the match. */
  accepts?: (secret: string, before: string) => boolean;
  /** Scrubs parts of the match instead of all of it. */
  rewrite?: (secret: string) => string;
}

/**
 * A token does not start inside a word. In command output a letter may still precede it: an escaped line break
 * (`\nghp_…`), a percent escape, a colour code.
 */
const ESCAPED = String.raw`(?<=\\[nrtbf]|%[0-9A-Fa-f]{2}|\\u[0-9a-fA-F]{4}|\u001b\[[0-9;]{0,12}m)`;
export const START = `(?:(?<![A-Za-z0-9])|${ESCAPED})`;
/** Only one start per run of token characters; otherwise `-eyJ-eyJ…` takes quadratic time. */
export const START_OF_RUN = `(?:(?<![\\w-])|${ESCAPED})`;

/**
 * A token recognised by its prefix. The whole word is scrubbed, so that no part of a longer token is left and the text after
 * a marker never starts in the middle of a word.
 */
function token(kind: string, starts: readonly string[], body: string): SecretPattern {
  let pattern: RegExp | undefined;
  return {
    kind,
    hints: starts,
    // Most texts contain few of these hints.
    get pattern() {
      pattern ??= makePattern(starts, body);
      return pattern;
    },
  };
}

function makePattern(starts: readonly string[], body: string): RegExp {
  const start = `(?:${starts.map((text) => text.replace(/[.^$*+?()[\]{}|\\/]/g, '\\$&')).join('|')})`;
  // The literal comes first: engines find it much faster than they evaluate a lookbehind at every position.
  return new RegExp(`${start}(?<=${START}${start})${body}[\\w-]*`, 'g');
}

/** Bounded: otherwise `sk-sk-sk-…` takes quadratic time. */
const HAS_DIGIT = '(?=[A-Za-z-]{0,48}\\d)';

/** Tokens recognised by their prefix. */
export const SECRET_TOKENS: readonly SecretPattern[] = [
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
