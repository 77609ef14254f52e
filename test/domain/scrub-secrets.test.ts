import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/domain/json.ts';
import { mayMatch, scrubSecrets } from '../../src/domain/scrub-secrets.ts';
import { SECRET_PATTERNS } from '../../src/domain/secret-patterns.ts';

/** Made-up credentials are put together here, so that secret scanners do not stop at this file. */
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const BASE36 = LOWER + DIGITS;
const BASE62 = BASE36 + LOWER.toUpperCase();
const BASE64URL = `${BASE62}_-`;
const BASE64 = `${BASE62}+/`;
const UPPER36 = BASE36.toUpperCase();
const HEX = `${DIGITS}abcdef`;

interface Maker {
  (length: number, alphabet?: string): string;
}

function maker(seed: number): Maker {
  let state = seed * 2654435761 + 1;
  return (length, alphabet = BASE62) => {
    let text = '';
    while (text.length < length) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      text += alphabet[(state >>> 8) % alphabet.length];
    }
    return text;
  };
}

interface Sample {
  /** What stays in front of the secret. */
  before?: string;
  secret: string;
  after?: string;
  kind: string;
}

const SEEDS = Array.from({ length: 40 }, (_, index) => index);
const uuid = (r: Maker) => [8, 4, 4, 4, 12].map((length) => r(length, HEX)).join('-');
const pem = (r: Maker, kind: string, newline = '\n') =>
  [`-----BEGIN ${kind}-----`, ...Array.from({ length: 5 }, () => r(64, BASE64)), `${r(20, BASE64)}==`, `-----END ${kind}-----`].join(newline);

/** Tokens that are known by their format, wherever they stand. */
const TOKENS: Record<string, (r: Maker) => Sample> = {
  'an AWS access key': (r) => ({ secret: `AKIA${r(16, UPPER36)}`, kind: 'aws-key' }),
  'a temporary AWS access key': (r) => ({ secret: `ASIA${r(16, UPPER36)}`, kind: 'aws-key' }),
  'an AWS key with its secret beside it': (r) => ({ secret: `AKIA${r(16, UPPER36)},${r(40, BASE64)}`, kind: 'aws-key' }),
  'an AWS session token': (r) => ({ secret: `IQoJb3JpZ2luX2Vj${r(300, BASE64)}`, kind: 'aws-session-token' }),
  'a GitHub personal token': (r) => ({ secret: `ghp_${r(36)}`, kind: 'github-token' }),
  'a GitHub OAuth token': (r) => ({ secret: `gho_${r(36)}`, kind: 'github-token' }),
  'a GitHub user token': (r) => ({ secret: `ghu_${r(36)}`, kind: 'github-token' }),
  'a GitHub server token': (r) => ({ secret: `ghs_${r(36)}`, kind: 'github-token' }),
  'a GitHub refresh token': (r) => ({ secret: `ghr_${r(76)}`, kind: 'github-token' }),
  'a fine-grained GitHub token': (r) => ({ secret: `github_pat_${r(22)}_${r(59)}`, kind: 'github-token' }),
  'a GitLab personal token': (r) => ({ secret: `glpat-${r(20, BASE64URL)}`, kind: 'gitlab-token' }),
  'a routable GitLab token': (r) => ({ secret: `glpat-${r(27, BASE64URL)}.${r(2)}.${r(9, BASE36)}`, kind: 'gitlab-token' }),
  'a GitLab runner token': (r) => ({ secret: `glrt-${r(20, BASE64URL)}`, kind: 'gitlab-token' }),
  'a Slack bot token': (r) => ({ secret: `xoxb-${r(12, DIGITS)}-${r(13, DIGITS)}-${r(24)}`, kind: 'slack-token' }),
  'a Slack client token': (r) => ({ secret: `xoxc-${r(12, DIGITS)}-${r(64, HEX)}`, kind: 'slack-token' }),
  'a Slack app token': (r) => ({ secret: `xapp-1-A${r(10, UPPER36)}-${r(13, DIGITS)}-${r(64, HEX)}`, kind: 'slack-token' }),
  'a Stripe live key': (r) => ({ secret: `sk_live_${r(24)}`, kind: 'stripe-key' }),
  'a Stripe restricted key': (r) => ({ secret: `rk_live_${r(99)}`, kind: 'stripe-key' }),
  'a Stripe webhook secret': (r) => ({ secret: `whsec_${r(32)}`, kind: 'webhook-secret' }),
  'an Anthropic key': (r) => ({ secret: `sk-ant-api03-${r(93, BASE64URL)}AA`, kind: 'anthropic-key' }),
  'an Anthropic OAuth token': (r) => ({ secret: `sk-ant-oat01-${r(93, BASE64URL)}AA`, kind: 'anthropic-key' }),
  'an old OpenAI key': (r) => ({ secret: `sk-${r(20)}T3BlbkFJ${r(20)}`, kind: 'openai-key' }),
  'an OpenAI project key': (r) => ({ secret: `sk-proj-${r(74, BASE64URL)}T3BlbkFJ${r(74, BASE64URL)}`, kind: 'openai-key' }),
  'a DeepSeek key': (r) => ({ secret: `sk-1${r(31, HEX)}`, kind: 'openai-key' }),
  'an OpenRouter key': (r) => ({ secret: `sk-or-v1-${r(64, HEX)}`, kind: 'openrouter-key' }),
  'a Groq key': (r) => ({ secret: `gsk_${r(52)}`, kind: 'groq-key' }),
  'an xAI key': (r) => ({ secret: `xai-${r(80)}`, kind: 'xai-key' }),
  'a Perplexity key': (r) => ({ secret: `pplx-${r(48)}`, kind: 'perplexity-key' }),
  'a Hugging Face token': (r) => ({ secret: `hf_${r(34)}`, kind: 'huggingface-token' }),
  'a Replicate token': (r) => ({ secret: `r8_${r(37)}`, kind: 'replicate-token' }),
  'a Google API key': (r) => ({ secret: `AIza${r(35, BASE64URL)}`, kind: 'google-key' }),
  'a Google access token': (r) => ({ secret: `ya29.a0${r(120, BASE64URL)}`, kind: 'google-oauth' }),
  'a Google client secret': (r) => ({ secret: `GOCSPX-${r(28, BASE64URL)}`, kind: 'google-oauth' }),
  'a Google refresh token': (r) => ({ secret: `1//0g${r(80, BASE64URL)}`, kind: 'google-oauth' }),
  'a LangSmith key': (r) => ({ secret: `lsv2_pt_${r(32, HEX)}_${r(10, HEX)}`, kind: 'langsmith-key' }),
  'a Databricks token': (r) => ({ secret: `dapi${r(32, HEX)}`, kind: 'databricks-token' }),
  'an npm token': (r) => ({ secret: `npm_${r(36)}`, kind: 'npm-token' }),
  'a PyPI token': (r) => ({ secret: `pypi-AgEIcHlwaS5vcmc${r(150, BASE64URL)}`, kind: 'pypi-token' }),
  'a RubyGems key': (r) => ({ secret: `rubygems_${r(48, HEX)}`, kind: 'rubygems-key' }),
  'a Docker Hub token': (r) => ({ secret: `dckr_pat_${r(27, BASE64URL)}`, kind: 'docker-token' }),
  'a Heroku key': (r) => ({ secret: `HRKU-AA${r(58, BASE64URL)}`, kind: 'heroku-key' }),
  'a DigitalOcean token': (r) => ({ secret: `dop_v1_${r(64, HEX)}`, kind: 'digitalocean-token' }),
  'a Vault token': (r) => ({ secret: `hvs.CAES${r(90, BASE64URL)}`, kind: 'vault-token' }),
  'a Terraform Cloud token': (r) => ({ secret: `${r(14)}.atlasv1.${r(67, BASE64URL)}`, kind: 'terraform-token' }),
  'a Pulumi token': (r) => ({ secret: `pul-${r(40, HEX)}`, kind: 'pulumi-token' }),
  'a Doppler token': (r) => ({ secret: `dp.pt.${r(43)}`, kind: 'doppler-token' }),
  'an age key': (r) => ({ secret: `AGE-SECRET-KEY-1${r(58, UPPER36)}`, kind: 'age-key' }),
  'a SendGrid key': (r) => ({ secret: `SG.${r(22, BASE64URL)}.${r(43, BASE64URL)}`, kind: 'sendgrid-key' }),
  'a Mailgun key': (r) => ({ secret: `key-${r(32, HEX)}`, kind: 'mailgun-key' }),
  'a Mailchimp key': (r) => ({ secret: `${r(32, HEX)}-us12`, kind: 'mailchimp-key' }),
  'a Brevo key': (r) => ({ secret: `xkeysib-${r(64, HEX)}-${r(16)}`, kind: 'brevo-key' }),
  'a Resend key': (r) => ({ secret: `re_${r(8)}_${r(24)}`, kind: 'resend-key' }),
  'a Twilio key': (r) => ({ secret: `SK${r(32, HEX)}`, kind: 'twilio-key' }),
  'a Telegram bot token': (r) => ({ secret: `1${r(9, DIGITS)}:AA${r(33, BASE64URL)}`, kind: 'telegram-token' }),
  'a Discord bot token': (r) => ({ secret: `MT${r(22)}.G${r(5, BASE64URL)}.${r(38, BASE64URL)}`, kind: 'discord-token' }),
  'a Sentry auth token': (r) => ({ secret: `sntryu_${r(64, HEX)}`, kind: 'sentry-token' }),
  'a New Relic key': (r) => ({ secret: `NRAK-${r(27, UPPER36)}`, kind: 'newrelic-key' }),
  'a Grafana token': (r) => ({ secret: `glsa_${r(32)}_${r(8, HEX)}`, kind: 'grafana-token' }),
  'a Postman key': (r) => ({ secret: `PMAK-${r(24, HEX)}-${r(34, HEX)}`, kind: 'postman-key' }),
  'a Linear key': (r) => ({ secret: `lin_api_${r(40)}`, kind: 'linear-key' }),
  'a Notion token': (r) => ({ secret: `ntn_${r(46)}`, kind: 'notion-token' }),
  'a Figma token': (r) => ({ secret: `figd_${r(40, BASE64URL)}`, kind: 'figma-token' }),
  'an Atlassian token': (r) => ({ secret: `ATATT3xFfGF0${r(180, BASE64URL)}`, kind: 'atlassian-token' }),
  'a Shopify token': (r) => ({ secret: `shpat_${r(32, HEX)}`, kind: 'shopify-token' }),
  'a Square token': (r) => ({ secret: `sq0atp-${r(22, BASE64URL)}`, kind: 'square-token' }),
  'a Supabase token': (r) => ({ secret: `sbp_${r(40, HEX)}`, kind: 'supabase-key' }),
  'a PlanetScale password': (r) => ({ secret: `pscale_pw_${r(43, BASE64URL)}`, kind: 'planetscale-token' }),
  'a Tailscale key': (r) => ({ secret: `tskey-auth-${r(17)}-${r(32)}`, kind: 'tailscale-key' }),
  'an Azure client secret': (r) => ({ secret: `${r(3)}8Q~${r(34, BASE64URL)}`, kind: 'azure-secret' }),
  'a JSON web token': (r) => ({ secret: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${r(30)}.${r(43, BASE64URL)}`, kind: 'jwt' }),
  'a JSON web token that was cut off': (r) => ({ secret: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${r(12)}`, kind: 'jwt' }),
  'an encrypted JSON web token': (r) => ({ secret: `eyJhbGciOiJkaXIi${r(20)}..${r(16)}.${r(60)}.${r(22)}`, kind: 'jwt' }),
  'a bcrypt hash': (r) => ({ secret: `$2b$12$${r(53)}`, kind: 'password-hash' }),
  'a private key in base64': (r) => ({ secret: `LS0tLS1CRUdJTiBSU0EgUFJJ${r(200, BASE64)}`, kind: 'private-key' }),
  'an RSA private key': (r) => ({ secret: pem(r, 'RSA PRIVATE KEY'), kind: 'private-key' }),
  'an EC private key': (r) => ({ secret: pem(r, 'EC PRIVATE KEY'), kind: 'private-key' }),
  'an OpenSSH private key': (r) => ({ secret: pem(r, 'OPENSSH PRIVATE KEY'), kind: 'private-key' }),
  'a PGP private key': (r) => ({
    secret: pem(r, 'PGP PRIVATE KEY BLOCK').replace('\n', '\nVersion: GnuPG v2 - linux\nComment: a-b\n\n'),
    kind: 'private-key',
  }),
  'an encrypted private key': (r) => ({
    secret: pem(r, 'RSA PRIVATE KEY').replace('\n', `\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${r(32, HEX)}\n\n`),
    kind: 'private-key',
  }),
  'a private key with escaped line breaks': (r) => ({ secret: pem(r, 'PRIVATE KEY', '\\n'), kind: 'private-key' }),
  'a private key with line breaks escaped twice': (r) => ({ secret: pem(r, 'PRIVATE KEY', '\\\\n'), kind: 'private-key' }),
  'a private key whose line breaks became blanks': (r) => ({ secret: pem(r, 'PRIVATE KEY', ' '), kind: 'private-key' }),
  'a private key with Windows line breaks': (r) => ({ secret: pem(r, 'PRIVATE KEY', '\r\n'), kind: 'private-key' }),
  'a private key in a diff': (r) => ({ secret: pem(r, 'PRIVATE KEY', '\n+'), kind: 'private-key' }),
};

/** Secrets that their surroundings betray. */
const IN_CONTEXT: Record<string, (r: Maker) => Sample> = {
  'aws_secret_access_key in a credentials file': (r) => ({ before: 'aws_secret_access_key = ', secret: r(40, BASE64), kind: 'secret' }),
  'SecretAccessKey in JSON': (r) => ({ before: '"SecretAccessKey": "', secret: r(40, BASE64), after: '",', kind: 'secret' }),
  'AWS_SECRET_ACCESS_KEY in a shell': (r) => ({ before: 'export AWS_SECRET_ACCESS_KEY=', secret: r(40, BASE64), after: '\n', kind: 'secret' }),
  'an auth token in .npmrc': (r) => ({ before: '//registry.npmjs.org/:_authToken=', secret: uuid(r), after: '\n', kind: 'secret' }),
  'basic auth in .npmrc': (r) => ({ before: '_auth=', secret: btoa(`ci:${r(12)}`), after: '\n', kind: 'secret' }),
  'auth in a Docker config': (r) => ({ before: '{"auths":{"ghcr.io":{"auth": "', secret: btoa(`bob:${r(12)}`), after: '"}}}', kind: 'secret' }),
  'an Azure storage account key': (r) => ({
    before: 'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=',
    secret: `${r(86, BASE64)}==`,
    after: ';EndpointSuffix=core.windows.net',
    kind: 'secret',
  }),
  'an Azure service bus key': (r) => ({ before: 'SharedAccessKeyName=Root;SharedAccessKey=', secret: `${r(43, BASE64)}=`, kind: 'secret' }),
  'the signature of an Azure SAS URL': (r) => ({
    before: 'https://acme.blob.core.windows.net/c/b?sv=2022-11-02&se=2024-01-01&sig=',
    secret: `${r(20)}%2B${r(20)}%3D`,
    after: '&sp=r',
    kind: 'url-signature',
  }),
  'the signature of an S3 URL': (r) => ({ before: 'https://b.s3.amazonaws.com/k?X-Amz-Signature=', secret: r(64, HEX), kind: 'url-signature' }),
  'a SQL Server connection string': (r) => ({ before: 'Server=db;User Id=sa;Password=', secret: r(10), after: ';Encrypt=true', kind: 'password' }),
  'a connection string with Pwd and a word': () => ({ before: 'Server=db;Uid=sa;Db_Pwd=', secret: 'letmein', after: ';Encrypt=true', kind: 'password' }),
  'a Google service account': (r) => ({
    before: '{"type": "service_account", "private_key": "',
    secret: pem(r, 'PRIVATE KEY', '\\n'),
    after: '\\n", "client_email": "a@b.iam"}',
    kind: 'private-key',
  }),
  'a password in an HTTP URL': (r) => ({ before: 'git clone https://bob:', secret: r(12), after: '@git.example.com/x.git', kind: 'url-password' }),
  'a password in a PostgreSQL URL': () => ({ before: 'postgres://app:', secret: 'hunter2', after: '@db:5432/app', kind: 'url-password' }),
  'a URL password with an at sign': () => ({ before: 'https://app:', secret: 'p@ss!w0rd', after: '@db:5432/app', kind: 'url-password' }),
  'a URL password with slashes and hashes': () => ({ before: 'postgresql://app:', secret: 'p@ss/w0#rd?', after: '@db:5432/app', kind: 'url-password' }),
  'a Redis URL without a user': () => ({ before: 'redis://:', secret: 'hunter2', after: '@localhost:6379/0', kind: 'url-password' }),
  'a MongoDB URL': (r) => ({ before: 'mongodb+srv://root:', secret: r(16), after: '@c0.abcde.mongodb.net/?retryWrites=true', kind: 'url-password' }),
  'a URL in JSON with escaped slashes': (r) => ({ before: '"postgres:\\/\\/app:', secret: r(16), after: '@db\\/app"', kind: 'url-password' }),
  'a token in place of a URL user': (r) => ({ before: 'https://', secret: `ghp_${r(36)}`, after: '@github.com/a/b', kind: 'github-token' }),
  'a token in place of a URL password': (r) => ({ before: 'https://oauth2:', secret: `glpat-${r(20)}`, after: '@gitlab.com/a', kind: 'gitlab-token' }),
  'a Sentry DSN': (r) => ({ before: 'SENTRY_DSN=https://', secret: r(32, HEX), after: '@o12345.ingest.sentry.io/67890', kind: 'url-token' }),
  'a Slack webhook': (r) => ({ before: 'https://hooks.slack.com/services/', secret: `T${r(8, UPPER36)}/B${r(8, UPPER36)}/${r(24)}`, kind: 'webhook-url' }),
  'a Discord webhook': (r) => ({ before: 'https://discord.com/api/webhooks/', secret: `${r(18, DIGITS)}/${r(68, BASE64URL)}`, kind: 'webhook-url' }),
  'a Telegram token in a URL': (r) => ({ before: 'https://api.telegram.org/bot', secret: `1${r(9, DIGITS)}:AA${r(33, BASE64URL)}`, after: '/sendMessage', kind: 'telegram-token' }),
  'a bearer token in a header': (r) => ({ before: 'Authorization: Bearer ', secret: r(32), kind: 'authorization' }),
  'a bearer token in curl': (r) => ({ before: "curl -H 'authorization: bearer ", secret: r(40, HEX), after: "' https://x.io", kind: 'authorization' }),
  'a bearer token in JSON': (r) => ({ before: '{"Authorization":"Bearer ', secret: r(24), after: '"}', kind: 'authorization' }),
  'a bearer token in escaped JSON': (r) => ({ before: '{\\"Authorization\\":\\"Bearer ', secret: r(24), after: '\\"}', kind: 'authorization' }),
  'basic auth in a header': () => ({ before: 'Authorization: Basic ', secret: btoa('bob:hunter2'), kind: 'authorization' }),
  'basic auth without any digit': () => ({ before: 'authorization: basic ', secret: btoa('user:pass'), kind: 'authorization' }),
  'a token in a header': (r) => ({ before: 'Authorization: token ', secret: r(40, HEX), kind: 'authorization' }),
  'an API key header': (r) => ({ before: "-H 'X-Api-Key: ", secret: r(32), after: "'", kind: 'secret' }),
  'a GitLab token header': (r) => ({ before: 'PRIVATE-TOKEN: ', secret: r(20), after: '\n', kind: 'secret' }),
  'a session cookie': (r) => ({ before: 'Cookie: theme=dark; sid=', secret: r(32), after: '; lang=en', kind: 'cookie' }),
  'a cookie that is set': (r) => ({ before: 'Set-Cookie: connect.sid=', secret: `s%3A${r(32)}`, after: '; Path=/; HttpOnly', kind: 'cookie' }),
  'curl with a user': () => ({ before: 'curl -s -u admin:', secret: 'correct-horse', after: ' https://x.io', kind: 'command-password' }),
  'curl with a quoted user': (r) => ({ before: "curl --user 'admin:", secret: r(9), after: "' https://x.io", kind: 'command-password' }),
  'curl on several lines': (r) => ({ before: 'curl \\\n  -X POST \\\n  -u admin:', secret: r(9), after: ' https://x.io', kind: 'command-password' }),
  'mysql with a password': () => ({ before: 'mysql -u root -p', secret: 'Secret', after: ' app', kind: 'command-password' }),
  'mysqldump with a quoted password': () => ({ before: "mysqldump -uroot -p'", secret: 's3cr3t!', after: "' app", kind: 'command-password' }),
  'sshpass': () => ({ before: 'sshpass -p ', secret: 'hunter2', after: ' ssh bob@host', kind: 'command-password' }),
  'docker login': (r) => ({ before: 'docker login -u bob -p ', secret: r(12), after: ' ghcr.io', kind: 'command-password' }),
  'redis-cli': () => ({ before: 'redis-cli -h cache -p 6379 -a ', secret: 'hunter2', after: ' ping', kind: 'command-password' }),
  'openssl': () => ({ before: 'openssl rsa -passin pass:', secret: 'hunter2', after: ' -in k.pem', kind: 'command-password' }),
  '.netrc': () => ({ before: 'machine api.heroku.com login bob password ', secret: 'correcthorse', after: '\n', kind: 'command-password' }),
  'SQL that makes a user': () => ({ before: "CREATE USER app WITH PASSWORD '", secret: 'correcthorse', after: "';", kind: 'sql-password' }),
  'MySQL that makes a user': () => ({ before: "CREATE USER app IDENTIFIED BY '", secret: 'hunter2', after: "';", kind: 'sql-password' }),
  'redis.conf': () => ({ before: 'requirepass ', secret: 'hunter2foo', after: '\n', kind: 'config-password' }),
  'a password in a shell': () => ({ before: 'export DB_PASSWORD=', secret: 'correcthorse', after: '\n', kind: 'password' }),
  'a quoted password in a shell': () => ({ before: 'export DB_PASSWORD="', secret: 'correct horse battery staple', after: '"\n', kind: 'password' }),
  'a password with signs in a shell': () => ({ before: 'DB_PASSWORD=', secret: 'a,b;c&d)e{f', after: '\n', kind: 'password' }),
  'PGPASSWORD before a command': () => ({ before: 'PGPASSWORD=', secret: 'hunter2', after: ' psql -h db', kind: 'password' }),
  'a default in a shell': () => ({ before: '${DB_PASSWORD:-', secret: 'hunter2secret', after: '}', kind: 'password' }),
  'a password in YAML': () => ({ before: 'db:\n  password: ', secret: 'hunter2secret', after: '\n  port: 5432', kind: 'password' }),
  'a password in docker-compose': () => ({ before: '  POSTGRES_PASSWORD: ', secret: 'postgres', after: '\n', kind: 'password' }),
  'a quoted password in YAML': () => ({ before: "password: '", secret: 'hunter', after: "'\n", kind: 'password' }),
  'a password in a YAML block': () => ({ before: 'password: |\n  ', secret: 'hunter2secret', after: '\n', kind: 'password' }),
  'a Kubernetes secret': () => ({ before: 'data:\n  password: ', secret: btoa('hunter2'), after: '\n', kind: 'password' }),
  'a variable in a Kubernetes manifest': () => ({ before: '- name: DB_PASSWORD\n  value: ', secret: 'hunter2secret', after: '\n', kind: 'password' }),
  'a variable in a task definition': () => ({ before: '{"name": "DB_PASSWORD", "value": "', secret: 'correcthorse', after: '"}', kind: 'password' }),
  'a password in properties': () => ({ before: 'a=b\nspring.datasource.password=', secret: 'letmeinplease', after: '\n', kind: 'password' }),
  'a password in INI': () => ({ before: '[db]\npassword = ', secret: 'hunter2', after: '\n', kind: 'password' }),
  'a password in TOML': () => ({ before: 'password = "', secret: 'letmein', after: '"\n', kind: 'password' }),
  'a password in JSON': () => ({ before: '{"user":"a","password":"', secret: 'letmein', after: '","port":1}', kind: 'password' }),
  'a password with a quote in JSON': () => ({ before: '{"password":"', secret: 'let\\"me\\\\in', after: '","port":1}', kind: 'password' }),
  'a password in escaped JSON': () => ({ before: '{\\"user\\":\\"a\\",\\"password\\":\\"', secret: 'letmein', after: '\\",\\"port\\":1}', kind: 'password' }),
  'a password in JSON escaped twice': () => ({ before: '{\\\\\\"password\\\\\\":\\\\\\"', secret: 'letmein', after: '\\\\\\",\\\\\\"port\\\\\\":1}', kind: 'password' }),
  'a password in JSON that was cut off': () => ({ before: '{"password": "', secret: 'hunter2sec', kind: 'password' }),
  'an API key in JSON': (r) => ({ before: '"api_key": "', secret: r(24), after: '"', kind: 'secret' }),
  'an API key in hexadecimal': (r) => ({ before: 'DD_API_KEY=', secret: r(32, HEX), after: '\n', kind: 'secret' }),
  'a Heroku key that is a UUID': (r) => ({ before: 'HEROKU_API_KEY=', secret: uuid(r), after: '\n', kind: 'secret' }),
  'a Twilio auth token': (r) => ({ before: 'TWILIO_AUTH_TOKEN=', secret: r(32, HEX), after: '\n', kind: 'secret' }),
  'a client secret in code': (r) => ({ before: "clientSecret: '", secret: r(32), after: "',", kind: 'secret' }),
  'a client secret of letters': () => ({ before: "clientSecret: '", secret: 'qwertyuiopasdfgh', after: "',", kind: 'secret' }),
  'a Django secret key': (r) => ({ before: "SECRET_KEY = '", secret: `django-insecure-${r(50, `${BASE36}!@#^&*(-_=+)`)}`, after: "'", kind: 'secret' }),
  'a Rails secret': (r) => ({ before: 'SECRET_KEY_BASE=', secret: r(128, HEX), after: '\n', kind: 'secret' }),
  'a password in TypeScript with a type': () => ({ before: 'const password: string = "', secret: 'hunter', after: '";', kind: 'password' }),
  'a password in Go': () => ({ before: 'password := "', secret: 'hunter', after: '"', kind: 'password' }),
  'a password in Ruby': () => ({ before: ":password => '", secret: 'hunter', after: "'", kind: 'password' }),
  'a password in PHP': () => ({ before: "define( 'DB_PASSWORD', '", secret: 'hunter2x', after: "' );", kind: 'password' }),
  'a password that is compared': () => ({ before: 'if (password === "', secret: 'hunter', after: '")', kind: 'password' }),
  'a key as the default of a variable': (r) => ({ before: "process.env.API_KEY ?? '", secret: r(20), after: "'", kind: 'secret' }),
  'a header that is set': (r) => ({ before: "headers['X-Api-Key'] = '", secret: r(20), after: "'", kind: 'secret' }),
  'a password of a mailer': () => ({ before: "auth: { user: 'bob', pass: '", secret: 'hunter2', after: "' }", kind: 'password' }),
  'a keyword argument': () => ({ before: 'connect(user=root, password="', secret: 'hunter', after: '", port=5432)', kind: 'password' }),
  'an unquoted argument': () => ({ before: 'connect(password=', secret: 'hunter2', after: ')', kind: 'password' }),
  'a password in XML': () => ({ before: '<password>', secret: 'hunter', after: '</password>', kind: 'password' }),
  'a password in an XML attribute': () => ({ before: '<add key="DbPassword" value="', secret: 'hunter', after: '" />', kind: 'password' }),
  'a password in a form': () => ({ before: 'POST user=bob&password=', secret: 'letmein', after: '&next=%2F', kind: 'password' }),
  'a token in a query': (r) => ({ before: 'https://x.io/a?access_token=', secret: r(24), after: '&page=2', kind: 'secret' }),
  'a token flag': (r) => ({ before: 'deploy --token=', secret: r(24), after: ' --prod', kind: 'secret' }),
  'a token flag with a blank': (r) => ({ before: 'deploy --token ', secret: r(24), after: ' --prod', kind: 'secret' }),
  'a password flag with a word': () => ({ before: 'tool --db-password=', secret: 'letmein', after: ' --prod', kind: 'password' }),
  'a password flag with a blank': () => ({ before: 'tool --password ', secret: 'hunter2', after: ' --prod', kind: 'password' }),
  'a password in prose': () => ({ before: 'Log in as bob; the password is ', secret: 'hunter2', after: '.', kind: 'password' }),
  'an API key in prose': (r) => ({ before: 'I used the API key: ', secret: r(24), after: ' and it works', kind: 'secret' }),
  'an Ethereum key': (r) => ({ before: 'PRIVATE_KEY=', secret: `0x${r(64, HEX)}`, after: '\n', kind: 'secret' }),
  'a WireGuard key': (r) => ({ before: 'PrivateKey = ', secret: `${r(43, BASE64)}=`, after: '\n', kind: 'secret' }),
  'a secret longer than any window': (r) => ({ before: 'API_TOKEN=', secret: r(20_000), after: '\n', kind: 'secret' }),
  'a quoted secret longer than any window': (r) => ({ before: '"api_token": "', secret: r(20_000), after: '"', kind: 'secret' }),
  'a private key cut off at its end': (r) => ({
    before: 'cat key.pem\n',
    secret: pem(r, 'RSA PRIVATE KEY').slice(0, 250),
    after: '\n[output truncated]\nThe rest of the turn went well - all tests pass.',
    kind: 'private-key',
  }),
  'a private key cut off at its beginning': (r) => ({
    before: '[output truncated]\n',
    secret: pem(r, 'RSA PRIVATE KEY').slice(60),
    after: '\n$ ls',
    kind: 'private-key',
  }),
  'a PuTTY key': (r) => ({ before: 'Private-Lines: 2\n', secret: `${r(64, BASE64)}\n${r(40, BASE64)}\n`, after: `Private-MAC: x`, kind: 'putty-key' }),
};

const text = ({ before = '', secret, after = '' }: Sample) => before + secret + after;
const scrubbed = ({ before = '', kind, after = '' }: Sample) => `${before}[scrubbed:${kind}]${after}`;

describe('a credential that its format betrays', () => {
  it.each(Object.entries(TOKENS))('%s is scrubbed, and the text around it stays', (_name, make) => {
    for (const seed of SEEDS) {
      const sample = { before: 'The player used ', ...make(maker(seed)), after: ' in the tests.' };
      expect(scrubSecrets(text(sample))).toBe(scrubbed(sample));
    }
  });

  it.each([
    ['a quote', '"'],
    ['an equals sign', 'x='],
    ['an escaped line break', 'done\\n'],
    ['a percent escape', 'q%20'],
    ['a colour code', '\u001b[1;32m'],
    ['an underscore', 'x_'],
    ['a bracket', '('],
    ['Chinese', '密钥'],
  ])('a token is found right after %s', (_name, before) => {
    for (const [name, make] of Object.entries(TOKENS)) {
      const sample = { ...make(maker(7)), before, after: '"' };
      // Here what stands before cannot be told from the token itself.
      if (before === 'x_' && /JSON web|Mailchimp|Discord|Azure|Terraform/.test(name)) continue;
      if (before === 'q%20' && /Telegram/.test(name)) continue;
      expect([name, scrubSecrets(text(sample))]).toEqual([name, scrubbed(sample)]);
    }
  });
});

describe('a credential that its surroundings betray', () => {
  it.each(Object.entries(IN_CONTEXT))('%s is scrubbed, and the text around it stays', (_name, make) => {
    for (const seed of SEEDS) {
      const sample = make(maker(seed));
      expect(scrubSecrets(text(sample))).toBe(scrubbed(sample));
    }
  });
});
