import type { JsonValue } from './json.ts';

interface SecretPattern {
  name: string;
  pattern: RegExp;
  /** Quick test that most text fails, so that clean text costs little. */
  hint: string | RegExp;
}

/**
 * Known shapes of credentials. Every pattern is linear: no quantifier follows another that can match the same
 * characters. A group named `keep` stays in front of what is scrubbed.
 */
const PATTERNS: readonly SecretPattern[] = [
  {
    name: 'private-key',
    hint: '-----BEGIN',
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  { name: 'anthropic-key', hint: 'sk-ant-', pattern: /\bsk-ant-[A-Za-z0-9_-]{16,}/g },
  { name: 'openai-key', hint: 'sk-', pattern: /\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}/g },
  {
    name: 'aws-key',
    hint: /A[KS]IA|ABIA|ACCA/,
    pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])/g,
  },
  { name: 'github-token', hint: 'gh', pattern: /\bgh[pousr]_[A-Za-z0-9]{20,}/g },
  { name: 'github-token', hint: 'github_pat_', pattern: /\bgithub_pat_[A-Za-z0-9_]{20,}/g },
  { name: 'gitlab-token', hint: 'gl', pattern: /\bgl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_.-]{16,}/g },
  { name: 'slack-token', hint: 'xox', pattern: /\bxox[abeoprs](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}/g },
  { name: 'slack-token', hint: 'xapp-', pattern: /\bxapp-\d-[A-Za-z0-9-]{10,}/g },
  {
    name: 'slack-webhook',
    hint: 'hooks.slack.com',
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{10,}/g,
  },
  {
    name: 'stripe-key',
    hint: /[rsw]k_|whsec_/,
    pattern: /\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{10,}/g,
  },
  { name: 'google-key', hint: 'AIza', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { name: 'google-oauth', hint: /ya29\.|GOCSPX-/, pattern: /\b(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,}/g },
  { name: 'npm-token', hint: 'npm_', pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { name: 'pypi-token', hint: 'pypi-', pattern: /\bpypi-[A-Za-z0-9_-]{30,}/g },
  { name: 'huggingface-token', hint: 'hf_', pattern: /\bhf_[A-Za-z0-9]{20,}/g },
  { name: 'sendgrid-key', hint: 'SG.', pattern: /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g },
  { name: 'digitalocean-token', hint: /do[opr]_v1_/, pattern: /\bdo[opr]_v1_[a-f0-9]{40,}/g },
  { name: 'telegram-token', hint: ':AA', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{32,}/g },
  { name: 'jwt', hint: 'eyJ', pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g },
  {
    name: 'url-password',
    hint: '://',
    // The user name stays: it says which account leaked.
    pattern:
      /(?<keep>\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/?#'"]{0,200}:)(?!\[scrubbed:)[^\s@/'"]{1,500}(?=@)/gi,
  },
  {
    name: 'authorization',
    hint: /authorization|bearer/i,
    pattern:
      /(?<keep>\b(?:authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:basic|bearer|token)?|bearer)[ \t]{1,4})(?!\[scrubbed:)[A-Za-z0-9+/_.~=-]{12,}/gi,
  },
  {
    name: 'assigned-secret',
    hint: /passw|passphrase|pwd|secret|token|key|credential/i,
    pattern:
      /(?<keep>(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|account[_-]?key|credentials?)[A-Za-z0-9_-]{0,20}["']?[ \t]{0,4}(?::=|=>|=|:)[ \t]{0,4})(?:"(?!\[scrubbed:)(?:[^"\\\n]|\\.){6,500}"|'(?!\[scrubbed:)(?:[^'\\\n]|\\.){6,500}'|(?!\[scrubbed:)(?=[A-Za-z0-9_.~+/=!@#$%^&*-]{0,60}[0-9!@#$%^&*])[A-Za-z0-9_.~+/=!@#$%^&*-]{8,500})/gi,
  },
];

/** Replaces what looks like a credential by `[scrubbed:kind]`, in a text or in every string of a JSON value. */
export function scrubSecrets<Value extends JsonValue>(value: Value): Value;
export function scrubSecrets(value: JsonValue): JsonValue {
  if (typeof value === 'string') return scrubText(value);
  if (Array.isArray(value)) return value.map((item) => scrubSecrets(item));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [scrubText(key), scrubSecrets(item)]),
    );
  }
  return value;
}

function scrubText(text: string): string {
  let result = text;
  for (const { name, pattern, hint } of PATTERNS) {
    const worthTrying = typeof hint === 'string' ? result.includes(hint) : hint.test(result);
    if (!worthTrying) continue;
    result = result.replace(pattern, (...match: unknown[]) => {
      const groups = match.at(-1);
      const keep =
        typeof groups === 'object' && groups !== null && 'keep' in groups ? String(groups.keep ?? '') : '';
      return `${keep}[scrubbed:${name}]`;
    });
  }
  return result;
}
