import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/domain/json/json.ts';
import { scrubNamedSecrets } from '../../../src/domain/secrets/scrub-named-secrets.ts';
import { scrubSecrets, worthTrying } from '../../../src/domain/secrets/scrub-secrets.ts';
import { SECRET_PATTERNS } from '../../../src/domain/secrets/secret-patterns.ts';
import { rows, runs, THOROUGH } from '../../support/thorough.ts';

/** Made-up credentials are put together here, so that secret scanners do not stop at this file. */
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const BASE36 = LOWER + DIGITS;
const BASE62 = BASE36 + LOWER.toUpperCase();
const BASE64URL = `${BASE62}_-`;
const BASE64 = `${BASE62}+/`;
const UPPER36 = BASE36.toUpperCase();
const HEX = `${DIGITS}abcdef`;

type Maker = (length: number, alphabet?: string) => string;

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

const SEEDS = Array.from({ length: 40 }, (_, index) => index);
const uuid = (r: Maker) => [8, 4, 4, 4, 12].map((length) => r(length, HEX)).join('-');
const pem = (r: Maker, kind: string, newline = '\n') =>
  [
    `-----BEGIN ${kind}-----`,
    ...Array.from({ length: 5 }, () => r(64, BASE64)),
    `${r(20, BASE64)}==`,
    `-----END ${kind}-----`,
  ].join(newline);

/** Tokens recognised by their format, in any position. */
const TOKENS: Record<string, [kind: string, make: (r: Maker) => string]> = {
  'an AWS access key': ['aws-key', (r) => `AKIA${r(16, UPPER36)}`],
  'a temporary AWS access key': ['aws-key', (r) => `ASIA${r(16, UPPER36)}`],
  'an AWS key with its secret beside it': ['aws-key', (r) => `AKIA${r(16, UPPER36)},${r(40, BASE64)}`],
  'an AWS session token': ['aws-session-token', (r) => `IQoJb3JpZ2luX2Vj${r(300, BASE64)}`],
  'a GitHub personal token': ['github-token', (r) => `ghp_${r(36)}`],
  'a GitHub OAuth token': ['github-token', (r) => `gho_${r(36)}`],
  'a GitHub user token': ['github-token', (r) => `ghu_${r(36)}`],
  'a GitHub server token': ['github-token', (r) => `ghs_${r(36)}`],
  'a GitHub refresh token': ['github-token', (r) => `ghr_${r(76)}`],
  'a fine-grained GitHub token': ['github-token', (r) => `github_pat_${r(22)}_${r(59)}`],
  'a GitLab personal token': ['gitlab-token', (r) => `glpat-${r(20, BASE64URL)}`],
  'a routable GitLab token': ['gitlab-token', (r) => `glpat-${r(27, BASE64URL)}.${r(2)}.${r(9, BASE36)}`],
  'a GitLab runner token': ['gitlab-token', (r) => `glrt-${r(20, BASE64URL)}`],
  'a Slack bot token': ['slack-token', (r) => `xoxb-${r(12, DIGITS)}-${r(13, DIGITS)}-${r(24)}`],
  'a Slack client token': ['slack-token', (r) => `xoxc-${r(12, DIGITS)}-${r(64, HEX)}`],
  'a Slack app token': ['slack-token', (r) => `xapp-1-A${r(10, UPPER36)}-${r(13, DIGITS)}-${r(64, HEX)}`],
  'a Stripe live key': ['stripe-key', (r) => `sk_live_${r(24)}`],
  'a Stripe restricted key': ['stripe-key', (r) => `rk_live_${r(99)}`],
  'a Stripe webhook secret': ['webhook-secret', (r) => `whsec_${r(32)}`],
  'an Anthropic key': ['anthropic-key', (r) => `sk-ant-api03-${r(93, BASE64URL)}AA`],
  'an Anthropic OAuth token': ['anthropic-key', (r) => `sk-ant-oat01-${r(93, BASE64URL)}AA`],
  'an old OpenAI key': ['openai-key', (r) => `sk-${r(20)}T3BlbkFJ${r(20)}`],
  'an OpenAI project key': ['openai-key', (r) => `sk-proj-${r(74, BASE64URL)}T3BlbkFJ${r(74, BASE64URL)}`],
  'a DeepSeek key': ['openai-key', (r) => `sk-1${r(31, HEX)}`],
  'an OpenRouter key': ['openrouter-key', (r) => `sk-or-v1-${r(64, HEX)}`],
  'a Groq key': ['groq-key', (r) => `gsk_${r(52)}`],
  'an xAI key': ['xai-key', (r) => `xai-${r(80)}`],
  'a Perplexity key': ['perplexity-key', (r) => `pplx-${r(48)}`],
  'a Hugging Face token': ['huggingface-token', (r) => `hf_${r(34)}`],
  'a Replicate token': ['replicate-token', (r) => `r8_${r(37)}`],
  'a Google API key': ['google-key', (r) => `AIza${r(35, BASE64URL)}`],
  'a Google access token': ['google-oauth', (r) => `ya29.a0${r(120, BASE64URL)}`],
  'a Google client secret': ['google-oauth', (r) => `GOCSPX-${r(28, BASE64URL)}`],
  'a Google refresh token': ['google-oauth', (r) => `1//0g${r(80, BASE64URL)}`],
  'a LangSmith key': ['langsmith-key', (r) => `lsv2_pt_${r(32, HEX)}_${r(10, HEX)}`],
  'a Databricks token': ['databricks-token', (r) => `dapi${r(32, HEX)}`],
  'an npm token': ['npm-token', (r) => `npm_${r(36)}`],
  'a PyPI token': ['pypi-token', (r) => `pypi-AgEIcHlwaS5vcmc${r(150, BASE64URL)}`],
  'a RubyGems key': ['rubygems-key', (r) => `rubygems_${r(48, HEX)}`],
  'a Docker Hub token': ['docker-token', (r) => `dckr_pat_${r(27, BASE64URL)}`],
  'a Heroku key': ['heroku-key', (r) => `HRKU-AA${r(58, BASE64URL)}`],
  'a DigitalOcean token': ['digitalocean-token', (r) => `dop_v1_${r(64, HEX)}`],
  'a Vault token': ['vault-token', (r) => `hvs.CAES${r(90, BASE64URL)}`],
  'a Terraform Cloud token': ['terraform-token', (r) => `${r(14)}.atlasv1.${r(67, BASE64URL)}`],
  'a Pulumi token': ['pulumi-token', (r) => `pul-${r(40, HEX)}`],
  'a Doppler token': ['doppler-token', (r) => `dp.pt.${r(43)}`],
  'an age key': ['age-key', (r) => `AGE-SECRET-KEY-1${r(58, UPPER36)}`],
  'a SendGrid key': ['sendgrid-key', (r) => `SG.${r(22, BASE64URL)}.${r(43, BASE64URL)}`],
  'a Mailgun key': ['mailgun-key', (r) => `key-${r(32, HEX)}`],
  'a Mailchimp key': ['mailchimp-key', (r) => `${r(32, HEX)}-us12`],
  'a Brevo key': ['brevo-key', (r) => `xkeysib-${r(64, HEX)}-${r(16)}`],
  'a Resend key': ['resend-key', (r) => `re_${r(8)}_${r(24)}`],
  'a Twilio key': ['twilio-key', (r) => `SK${r(32, HEX)}`],
  'a Telegram bot token': ['telegram-token', (r) => `1${r(9, DIGITS)}:AA${r(33, BASE64URL)}`],
  'a Discord bot token': ['discord-token', (r) => `MT${r(22)}.G${r(5, BASE64URL)}.${r(38, BASE64URL)}`],
  'a Sentry auth token': ['sentry-token', (r) => `sntryu_${r(64, HEX)}`],
  'a New Relic key': ['newrelic-key', (r) => `NRAK-${r(27, UPPER36)}`],
  'a Grafana token': ['grafana-token', (r) => `glsa_${r(32)}_${r(8, HEX)}`],
  'a Postman key': ['postman-key', (r) => `PMAK-${r(24, HEX)}-${r(34, HEX)}`],
  'a Linear key': ['linear-key', (r) => `lin_api_${r(40)}`],
  'a Notion token': ['notion-token', (r) => `ntn_${r(46)}`],
  'a Figma token': ['figma-token', (r) => `figd_${r(40, BASE64URL)}`],
  'an Atlassian token': ['atlassian-token', (r) => `ATATT3xFfGF0${r(180, BASE64URL)}`],
  'a Shopify token': ['shopify-token', (r) => `shpat_${r(32, HEX)}`],
  'a Square token': ['square-token', (r) => `sq0atp-${r(22, BASE64URL)}`],
  'a Supabase token': ['supabase-key', (r) => `sbp_${r(40, HEX)}`],
  'a PlanetScale password': ['planetscale-token', (r) => `pscale_pw_${r(43, BASE64URL)}`],
  'a Tailscale key': ['tailscale-key', (r) => `tskey-auth-${r(17)}-${r(32)}`],
  'an Azure client secret': ['azure-secret', (r) => `${r(3)}8Q~${r(34, BASE64URL)}`],
  'a JSON web token': ['jwt', (r) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${r(30)}.${r(43, BASE64URL)}`],
  'a JSON web token that was cut off': ['jwt', (r) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${r(12)}`],
  'an encrypted JSON web token': ['jwt', (r) => `eyJhbGciOiJkaXIi${r(20)}..${r(16)}.${r(60)}.${r(22)}`],
  'a Langfuse key': ['langfuse-key', (r) => `sk-lf-${uuid(r)}`],
  'a Pinecone key': ['pinecone-key', (r) => `pcsk_${r(60)}`],
  'a Tavily key': ['tavily-key', (r) => `tvly-dev-${r(32)}`],
  'an NVIDIA key': ['nvidia-key', (r) => `nvapi-${r(64, BASE64URL)}`],
  'a Bedrock key': ['aws-key', (r) => `ABSK${r(128, BASE62)}`],
  'a Bitbucket token': ['bitbucket-token', (r) => `ATBB8${r(31)}`],
  'a Fly token': ['fly-token', (r) => `fm2_${r(120, BASE64)}`],
  'a Netlify token': ['netlify-token', (r) => `nfp_${r(36)}`],
  'a 1Password token': ['1password-token', (r) => `ops_eyJ${r(250)}`],
  'a Dynatrace token': ['dynatrace-token', (r) => `dt0c01.${r(24, UPPER36)}.${r(64, UPPER36)}`],
  'a Sonar token': ['sonar-token', (r) => `sqp_${r(40, HEX)}`],
  'a Sourcegraph token': ['sourcegraph-token', (r) => `sgp_${r(16, HEX)}_${r(40, HEX)}`],
  'a CircleCI token': ['circleci-token', (r) => `CCIPAT_${r(22)}_${r(40, HEX)}`],
  'a Buildkite token': ['buildkite-token', (r) => `bkua_${r(40, HEX)}`],
  'an Alibaba key': ['alibaba-key', (r) => `LTAI5t${r(18)}`],
  'an OpenShift token': ['openshift-token', (r) => `sha256~${r(43, BASE64URL)}`],
  'an argon2 hash': ['password-hash', (r) => `$argon2id$v=19$m=65536,t=3,p=4$${r(22)}$${r(43)}`],
  'a crypt hash': ['password-hash', (r) => `$6$${r(16)}$${r(86)}`],
  'a bcrypt hash': ['password-hash', (r) => `$2b$12$${r(53)}`],
  'a private key in base64': ['private-key', (r) => `LS0tLS1CRUdJTiBSU0EgUFJJ${r(200, BASE64)}`],
  'an RSA private key': ['private-key', (r) => pem(r, 'RSA PRIVATE KEY')],
  'an EC private key': ['private-key', (r) => pem(r, 'EC PRIVATE KEY')],
  'an OpenSSH private key': ['private-key', (r) => pem(r, 'OPENSSH PRIVATE KEY')],
  'a PGP private key': [
    'private-key',
    (r) => pem(r, 'PGP PRIVATE KEY BLOCK').replace('\n', '\nVersion: GnuPG v2 - linux\nComment: a-b\n\n'),
  ],
  'an encrypted private key': [
    'private-key',
    (r) =>
      pem(r, 'RSA PRIVATE KEY').replace(
        '\n',
        `\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${r(32, HEX)}\n\n`,
      ),
  ],
  'a private key with escaped line breaks': ['private-key', (r) => pem(r, 'PRIVATE KEY', '\\n')],
  'a private key with line breaks escaped twice': ['private-key', (r) => pem(r, 'PRIVATE KEY', '\\\\n')],
  'a private key whose line breaks became blanks': ['private-key', (r) => pem(r, 'PRIVATE KEY', ' ')],
  'a private key with Windows line breaks': ['private-key', (r) => pem(r, 'PRIVATE KEY', '\r\n')],
  'a private key in a diff': ['private-key', (r) => pem(r, 'PRIVATE KEY', '\n+')],
};

/** Secrets that their surroundings betray. */
const IN_CONTEXT: Record<
  string,
  [kind: string, make: (r: Maker) => [before: string, secret: string, after?: string]]
> = {
  'aws_secret_access_key in a credentials file': [
    'secret',
    (r) => ['aws_secret_access_key = ', r(40, BASE64)],
  ],
  'SecretAccessKey in JSON': ['secret', (r) => ['"SecretAccessKey": "', r(40, BASE64), '",']],
  'AWS_SECRET_ACCESS_KEY in a shell': [
    'secret',
    (r) => ['export AWS_SECRET_ACCESS_KEY=', r(40, BASE64), '\n'],
  ],
  'an auth token in .npmrc': ['secret', (r) => ['//registry.npmjs.org/:_authToken=', uuid(r), '\n']],
  'basic auth in .npmrc': ['secret', (r) => ['_auth=', btoa(`ci:${r(12)}`), '\n']],
  'auth in a Docker config': [
    'secret',
    (r) => ['{"auths":{"ghcr.io":{"auth": "', btoa(`bob:${r(12)}`), '"}}}'],
  ],
  'an Azure storage account key': [
    'secret',
    (r) => [
      'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=',
      `${r(86, BASE64)}==`,
      ';EndpointSuffix=core.windows.net',
    ],
  ],
  'an Azure service bus key': [
    'secret',
    (r) => ['SharedAccessKeyName=Root;SharedAccessKey=', `${r(43, BASE64)}=`],
  ],
  'the signature of an Azure SAS URL': [
    'url-signature',
    (r) => [
      'https://acme.blob.core.windows.net/c/b?sv=2022-11-02&se=2024-01-01&sig=',
      `${r(20)}%2B${r(20)}%3D`,
      '&sp=r',
    ],
  ],
  'the signature of an S3 URL': [
    'url-signature',
    (r) => ['https://b.s3.amazonaws.com/k?X-Amz-Signature=', r(64, HEX)],
  ],
  'a SQL Server connection string': [
    'password',
    (r) => ['Server=db;User Id=sa;Password=', r(10), ';Encrypt=true'],
  ],
  'a connection string with Pwd and a word': [
    'password',
    () => ['Server=db;Uid=sa;Db_Pwd=', 'letmein', ';Encrypt=true'],
  ],
  'a Google service account': [
    'private-key',
    (r) => [
      '{"type": "service_account", "private_key": "',
      pem(r, 'PRIVATE KEY', '\\n'),
      '\\n", "client_email": "a@b.iam"}',
    ],
  ],
  'a password in an HTTP URL': [
    'url-password',
    (r) => ['git clone https://bob:', r(12), '@git.example.com/x.git'],
  ],
  'a password in a PostgreSQL URL': ['url-password', () => ['postgres://app:', 'hunter2', '@db:5432/app']],
  'a URL password with an at sign': ['url-password', () => ['https://app:', 'p@ss!w0rd', '@db:5432/app']],
  'a URL password with slashes and hashes': [
    'url-password',
    () => ['postgresql://app:', 'p@ss/w0#rd?', '@db:5432/app'],
  ],
  'a Redis URL without a user': ['url-password', () => ['redis://:', 'hunter2', '@localhost:6379/0']],
  'a MongoDB URL': [
    'url-password',
    (r) => ['mongodb+srv://root:', r(16), '@c0.abcde.mongodb.net/?retryWrites=true'],
  ],
  'a URL in JSON with escaped slashes': [
    'url-password',
    (r) => ['"postgres:\\/\\/app:', r(16), '@db\\/app"'],
  ],
  'a token in place of a URL user': ['github-token', (r) => ['https://', `ghp_${r(36)}`, '@github.com/a/b']],
  'a token in place of a URL password': [
    'gitlab-token',
    (r) => ['https://oauth2:', `glpat-${r(20)}`, '@gitlab.com/a'],
  ],
  'a Sentry DSN': ['url-token', (r) => ['SENTRY_DSN=https://', r(32, HEX), '@o12345.ingest.sentry.io/67890']],
  'a Slack webhook': [
    'webhook-url',
    (r) => ['https://hooks.slack.com/services/', `T${r(8, UPPER36)}/B${r(8, UPPER36)}/${r(24)}`],
  ],
  'a Discord webhook': [
    'webhook-url',
    (r) => ['https://discord.com/api/webhooks/', `${r(18, DIGITS)}/${r(68, BASE64URL)}`],
  ],
  'a Telegram token in a URL': [
    'telegram-token',
    (r) => ['https://api.telegram.org/bot', `1${r(9, DIGITS)}:AA${r(33, BASE64URL)}`, '/sendMessage'],
  ],
  'a bearer token in a header': ['authorization', (r) => ['Authorization: Bearer ', r(32)]],
  'a bearer token in curl': [
    'authorization',
    (r) => ["curl -H 'authorization: bearer ", r(40, HEX), "' https://x.io"],
  ],
  'a bearer token in JSON': ['authorization', (r) => ['{"Authorization":"Bearer ', r(24), '"}']],
  'a bearer token in escaped JSON': [
    'authorization',
    (r) => ['{\\"Authorization\\":\\"Bearer ', r(24), '\\"}'],
  ],
  'basic auth in a header': ['authorization', () => ['Authorization: Basic ', btoa('bob:hunter2')]],
  'basic auth without any digit': ['authorization', () => ['authorization: basic ', btoa('user:pass')]],
  'a token in a header': ['authorization', (r) => ['Authorization: token ', r(40, HEX)]],
  'an API key header': ['secret', (r) => ["-H 'X-Api-Key: ", r(32), "'"]],
  'a GitLab token header': ['secret', (r) => ['PRIVATE-TOKEN: ', r(20), '\n']],
  'a session cookie': ['cookie', (r) => ['Cookie: theme=dark; sid=', r(32), '; lang=en']],
  'a cookie that is set': [
    'cookie',
    (r) => ['Set-Cookie: connect.sid=', `s%3A${r(32)}`, '; Path=/; HttpOnly'],
  ],
  'curl with a user': ['command-password', () => ['curl -s -u admin:', 'correct-horse', ' https://x.io']],
  'curl with a quoted user': ['command-password', (r) => ["curl --user 'admin:", r(9), "' https://x.io"]],
  'curl on several lines': [
    'command-password',
    (r) => ['curl \\\n  -X POST \\\n  -u admin:', r(9), ' https://x.io'],
  ],
  'mysql with a password': ['command-password', () => ['mysql -u root -p', 'Secret', ' app']],
  'mysqldump with a quoted password': [
    'command-password',
    () => ["mysqldump -uroot -p'", 's3cr3t!', "' app"],
  ],
  sshpass: ['command-password', () => ['sshpass -p ', 'hunter2', ' ssh bob@host']],
  'docker login': ['command-password', (r) => ['docker login -u bob -p ', r(12), ' ghcr.io']],
  'redis-cli': ['command-password', () => ['redis-cli -h cache -p 6379 -a ', 'hunter2', ' ping']],
  openssl: ['command-password', () => ['openssl rsa -passin pass:', 'hunter2', ' -in k.pem']],
  '.netrc': ['command-password', () => ['machine api.heroku.com login bob password ', 'correcthorse', '\n']],
  'SQL that makes a user': ['sql-password', () => ["CREATE USER app WITH PASSWORD '", 'correcthorse', "';"]],
  'MySQL that makes a user': ['sql-password', () => ["CREATE USER app IDENTIFIED BY '", 'hunter2', "';"]],
  'redis.conf': ['config-password', () => ['requirepass ', 'hunter2foo', '\n']],
  'a password in a shell': ['password', () => ['export DB_PASSWORD=', 'correcthorse', '\n']],
  'a quoted password in a shell': [
    'password',
    () => ['export DB_PASSWORD="', 'correct horse battery staple', '"\n'],
  ],
  'a password with signs in a shell': ['password', () => ['DB_PASSWORD=', 'a,b;c&d)e{f', '\n']],
  'PGPASSWORD before a command': ['password', () => ['PGPASSWORD=', 'hunter2', ' psql -h db']],
  'a default in a shell': ['password', () => ['${DB_PASSWORD:-', 'hunter2secret', '}']],
  'a password in YAML': ['password', () => ['db:\n  password: ', 'hunter2secret', '\n  port: 5432']],
  'a password in docker-compose': ['password', () => ['  POSTGRES_PASSWORD: ', 'postgres', '\n']],
  'a quoted password in YAML': ['password', () => ["password: '", 'hunter', "'\n"]],
  'a password in a YAML block': ['password', () => ['password: |\n  ', 'hunter2secret', '\n']],
  'a Kubernetes secret': ['password', () => ['data:\n  password: ', btoa('hunter2'), '\n']],
  'a variable in a Kubernetes manifest': [
    'password',
    () => ['- name: DB_PASSWORD\n  value: ', 'hunter2secret', '\n'],
  ],
  'a variable in a task definition': [
    'password',
    () => ['{"name": "DB_PASSWORD", "value": "', 'correcthorse', '"}'],
  ],
  'a password in properties': ['password', () => ['a=b\nspring.datasource.password=', 'letmeinplease', '\n']],
  'a password in INI': ['password', () => ['[db]\npassword = ', 'hunter2', '\n']],
  'a password in TOML': ['password', () => ['password = "', 'letmein', '"\n']],
  'a password in JSON': ['password', () => ['{"user":"a","password":"', 'letmein', '","port":1}']],
  'a password with a quote in JSON': ['password', () => ['{"password":"', 'let\\"me\\\\in', '","port":1}']],
  'a password in escaped JSON': [
    'password',
    () => ['{\\"user\\":\\"a\\",\\"password\\":\\"', 'letmein', '\\",\\"port\\":1}'],
  ],
  'a password in JSON escaped twice': [
    'password',
    () => ['{\\\\\\"password\\\\\\":\\\\\\"', 'letmein', '\\\\\\",\\\\\\"port\\\\\\":1}'],
  ],
  'a password in JSON that was cut off': ['password', () => ['{"password": "', 'hunter2sec']],
  'an API key in JSON': ['secret', (r) => ['"api_key": "', r(24), '"']],
  'an API key in hexadecimal': ['secret', (r) => ['DD_API_KEY=', r(32, HEX), '\n']],
  'a Heroku key that is a UUID': ['secret', (r) => ['HEROKU_API_KEY=', uuid(r), '\n']],
  'a Twilio auth token': ['secret', (r) => ['TWILIO_AUTH_TOKEN=', r(32, HEX), '\n']],
  'a client secret in code': ['secret', (r) => ["clientSecret: '", r(32), "',"]],
  'a client secret of letters': ['secret', () => ["clientSecret: '", 'qwertyuiopasdfgh', "',"]],
  'a Django secret key': [
    'secret',
    (r) => ["SECRET_KEY = '", `django-insecure-${r(50, `${BASE36}!@#^&*(-_=+)`)}`, "'"],
  ],
  'a Rails secret': ['secret', (r) => ['SECRET_KEY_BASE=', r(128, HEX), '\n']],
  'a password in TypeScript with a type': ['password', () => ['const password: string = "', 'hunter', '";']],
  'a quoted password with brackets': ['password', () => ["password: '", 'xK9(mP2$vL[', "',"]],
  'an unquoted password with brackets': ['password', () => ['  password: ', 'xK9(mP2$vL', '\n']],
  'a quoted password that starts with a bracket': ['password', () => ['"password": "', '[aB3$x9(z<', '"']],
  'a password with brackets in a shell': ['password', () => ['DB_PASSWORD=', '{aB3$x9(z', '\n']],
  'a password with brackets in a URL': [
    'url-password',
    () => ['https://bob:', 'xK9(mP2$vL', '@git.example.com/x'],
  ],
  'a password in Go': ['password', () => ['password := "', 'hunter', '"']],
  'a password in Ruby': ['password', () => [":password => '", 'hunter', "'"]],
  'a password in PHP': ['password', () => ["define( 'DB_PASSWORD', '", 'hunter2x', "' );"]],
  'a password that is compared': ['password', () => ['if (password === "', 'hunter', '")']],
  'a key as the default of a variable': ['secret', (r) => ["process.env.API_KEY ?? '", r(20), "'"]],
  'a header that is set': ['secret', (r) => ["headers['X-Api-Key'] = '", r(20), "'"]],
  'a password of a mailer': ['password', () => ["auth: { user: 'bob', pass: '", 'hunter2', "' }"]],
  'a keyword argument': ['password', () => ['connect(user=root, password="', 'hunter', '", port=5432)']],
  'an unquoted argument': ['password', () => ['connect(password=', 'hunter2', ')']],
  'a password in XML': ['password', () => ['<password>', 'hunter', '</password>']],
  'a password in an XML attribute': ['password', () => ['<add key="DbPassword" value="', 'hunter', '" />']],
  'a password in a form': ['password', () => ['POST user=bob&password=', 'letmein', '&next=%2F']],
  'a token in a query': ['secret', (r) => ['https://x.io/a?access_token=', r(24), '&page=2']],
  'a token flag': ['secret', (r) => ['deploy --token=', r(24), ' --prod']],
  'a token flag with a blank': ['secret', (r) => ['deploy --token ', r(24), ' --prod']],
  'a password flag with a word': ['password', () => ['tool --db-password=', 'letmein', ' --prod']],
  'a password flag with a blank': ['password', () => ['tool --password ', 'hunter2', ' --prod']],
  'a password in prose': ['password', () => ['Log in as bob; the password is ', 'hunter2', '.']],
  'an API key in prose': ['secret', (r) => ['I used the API key: ', r(24), ' and it works']],
  'an Ethereum key': ['secret', (r) => ['PRIVATE_KEY=', `0x${r(64, HEX)}`, '\n']],
  'a WireGuard key': ['secret', (r) => ['PrivateKey = ', `${r(43, BASE64)}=`, '\n']],
  'a secret longer than any window': ['secret', (r) => ['API_TOKEN=', r(20_000), '\n']],
  'a quoted secret longer than any window': ['secret', (r) => ['"api_token": "', r(20_000), '"']],
  'a private key cut off at its end': [
    'private-key',
    (r) => [
      'cat key.pem\n',
      pem(r, 'RSA PRIVATE KEY').slice(0, 250),
      '\n[output truncated]\nThe rest of the turn went well - all tests pass.',
    ],
  ],
  'a private key cut off at its beginning': [
    'private-key',
    (r) => ['[output truncated]\n', pem(r, 'RSA PRIVATE KEY').slice(60), '\n$ ls'],
  ],
  'a PuTTY key': [
    'putty-key',
    (r) => ['Private-Lines: 2\n', `${r(64, BASE64)}\n${r(40, BASE64)}\n`, `Private-MAC: x`],
  ],
};

interface Sample {
  text: string;
  secret: string;
  scrubbed: string;
}

function tokenSample(name: string, seed: number, before = '', after = ''): Sample {
  const [kind = '', make = () => ''] = TOKENS[name] ?? [];
  const secret = make(maker(seed));
  return { text: before + secret + after, secret, scrubbed: `${before}[scrubbed:${kind}]${after}` };
}

function contextSample(name: string, seed: number): Sample {
  const [kind = '', make] = IN_CONTEXT[name] ?? [];
  const [before = '', secret = '', after = ''] = make?.(maker(seed)) ?? [];
  return { text: before + secret + after, secret, scrubbed: `${before}[scrubbed:${kind}]${after}` };
}

const TOKEN_NAMES = Object.keys(TOKENS);
const CONTEXT_NAMES = Object.keys(IN_CONTEXT);
const samples = (seed: number): Sample[] => [
  ...TOKEN_NAMES.map((name) => tokenSample(name, seed)),
  ...CONTEXT_NAMES.map((name) => contextSample(name, seed)),
];

describe('a credential that its format betrays', () => {
  it.each(TOKEN_NAMES)('%s is scrubbed, and the text around it stays', (name) => {
    for (const seed of SEEDS) {
      const sample = tokenSample(name, seed, 'The player used ', ' in the tests.');
      expect(scrubSecrets(sample.text)).toBe(sample.scrubbed);
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
    for (const name of TOKEN_NAMES) {
      // Here the text before the token cannot be told apart from it.
      if (before === 'x_' && /JSON web|Mailchimp|Discord|Azure|Terraform/.test(name)) continue;
      if (before === 'q%20' && /Telegram/.test(name)) continue;
      const sample = tokenSample(name, 7, before, '"');
      expect([name, scrubSecrets(sample.text)]).toEqual([name, sample.scrubbed]);
    }
  });
});

describe('a credential that its surroundings betray', () => {
  it.each(CONTEXT_NAMES)('%s is scrubbed, and the text around it stays', (name) => {
    for (const seed of SEEDS) {
      const sample = contextSample(name, seed);
      expect(scrubSecrets(sample.text)).toBe(sample.scrubbed);
    }
  });
});

const SHA1 = maker(41)(40, HEX);
const SHA256 = maker(42)(64, HEX);
const UUID = uuid(maker(43));

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: shells and templates write them
/** Everyday technical text without secrets. */
const CLEAN: readonly string[] = [
  'token refresh works',
  'The token is refreshed every 15 minutes and the password is hashed.',
  'bearer tokens are validated',
  'Bearer authentication is required for every route.',
  'the Bearer token-based-authentication scheme',
  'Authorization: Bearer <token>',
  'Authorization: Bearer ${accessToken}',
  'Authorization: Bearer $TOKEN',
  'Authorization: required for all admin routes',
  'Authorization: Basic authentication is used here',
  'basic information about the store',
  'token: string',
  'password: string',
  'password: string;',
  'password?: string | null;',
  'password: z.string().min(8).max(72),',
  'interface Login { user: string; password: string; token?: string }',
  'type Query { login(password: String!): Token! }',
  'const key = getKey()',
  'const token = await getToken(session);',
  'const token = tokens[index1];',
  "const secret = crypto.randomBytes(32).toString('hex');",
  'const apiKey = process.env.API_KEY;',
  'process.env.API_KEY',
  "if (!process.env.STRIPE_SECRET_KEY) throw new Error('missing');",
  'api_key = os.environ["OPENAI_API_KEY"]',
  'apiKey: config.providers.openai2.apiKey,',
  'password = req.body.password',
  'password: user1.passwordHash,',
  'this.password = password;',
  'connect(user=user, password=password, token=token)',
  'secret: see vault',
  'secret: none',
  'secretName: my-app-db-credentials',
  'secretKeyRef: { name: app-secrets-v2, key: db-password }',
  'existingSecret: "postgres-credentials-v2"',
  'imagePullSecrets: [regcred]',
  'valueFrom: secret/data/prod/db-2024',
  'password: ${DB_PASSWORD}',
  'password: "${DB_PASSWORD}"',
  'DB_PASSWORD=${DB_PASSWORD:?missing}',
  'DB_PASSWORD=$(vault read -field=password secret/db2)',
  'DB_PASSWORD=$DB_PASSWORD',
  '$env:DB_PASSWORD = $env:CI_DB_PASSWORD',
  'password: {{ .Values.db.password }}',
  'password: <your password>',
  'password=<password>',
  'password=***',
  'password=********',
  'password: "********"',
  'password: xxxxxxxx',
  'password: [REDACTED]',
  'password=...',
  '"password": "string"',
  '"password": "required"',
  '"password": "must be at least 8 characters"',
  '"password": "Enter your password"',
  '"password": ""',
  '"password": null',
  '"password": true',
  "errors.password = 'Password must contain 1 digit and 8 characters';",
  '<input type="password" name="password" autocomplete="current-password">',
  "label: 'Password', type: 'password'",
  "['username', 'password', 'token', 'sha256']",
  'redact: ["password", "token", "apiKey", "authorization"]',
  'SELECT id, password FROM users WHERE password = $1',
  'WHERE password = :password AND token = ?',
  'password VARCHAR(255) NOT NULL',
  'ALTER TABLE users ADD COLUMN password_hash TEXT',
  'PASSWORD_MIN_LENGTH=12',
  'password_min_length: 12',
  'password_reset_url: https://app.example.com/reset-password2',
  'PASSWORD_FILE=/run/secrets/db_password_2',
  'DB_PASSWORD_FILE=/run/secrets/db-password',
  'TOKEN_TTL=3600s',
  'token_expiry: 2024-01-15T10:00:00Z',
  'token_type: Bearer',
  'token_count: 48211',
  'max_tokens=4096',
  'max_tokens: 4096, temperature: 0.2',
  'prompt_tokens: 1523, completion_tokens: 871',
  'total_tokens=128000',
  'tokenizer: unicode61',
  'tokenizer: "unicode61 remove_diacritics 2"',
  'tokens: 12345678',
  'next_page_token: CAUQAA12345678',
  "nextToken: 'eyJrZXkiOiJ2YWx1ZTEyMyJ9'",
  'cancellationToken: CancellationToken2',
  'session_timeout=30',
  `session_id: ${UUID}`,
  'primary_key: id',
  'primary_key: user_id_v2',
  'foreign_key: orders.user_id2',
  'key: value',
  `key: node-modules-v2-${SHA1.slice(0, 12)}`,
  `cache-key: npm-linux-${SHA1.slice(0, 16)}`,
  `cache key: sha256:${SHA256}`,
  'partition_key: tenant#42',
  `idempotency_key: ${UUID}`,
  `public_key: MFkwEwYHKoZIzj0CAQYI${SHA1}`,
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1234567890abcdefghijklmnopqrstuvwxyzABCD bob@host',
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7vbqajDhA1234567890 bob@host',
  `mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=${SHA1.slice(0, 16)}`,
  `commit ${SHA1}`,
  `git rev-parse HEAD: ${SHA1}`,
  `content_hash: ${SHA256}`,
  `uuid ${UUID}`,
  'integrity: sha512-0Yx6i1HwLmHiSpEJDtSPEGYBHGWBhUYFQ0ROmT7zRBzBhkVhCwBMXj9b1qcpPCmOaN1xUJ6mRTBrnCGm3jXQ==',
  '"generate-password": "^1.7.1",',
  '"csrf-token": "~10.2.13",',
  '"jsonwebtoken": "9.0.2"',
  'password-hash@1.2.2',
  'TURN-FEAT-AUTH-TASK-001-T2 was rejected: AC-001 and AC-002 are pending',
  'token: TASK-AUTH-001',
  'secret: AC-001 is verified',
  'password: AC-001',
  'Feature FEAT-A1B2: password reset, criteria AC-001..AC-007',
  'src/auth/password.test.ts:42:17',
  '✗ test/auth/token.test.ts > token: refreshes after 30s',
  'password: src/auth/hash-password2.ts',
  'token: ./lib/token2.js',
  'secret: /run/secrets/app2/token',
  'See docs/secrets.md#api-key-2 for the api key: it lives in vault',
  'keyboard: qwerty2',
  'monkey: george123',
  'hotkey: ctrl+shift+p1',
  'compass: north45',
  'author: jane2doe',
  'passed: 42, failed: 3',
  'pass: 197 tests',
  'pass: 3/4',
  'PASS src/domain/x.test.ts',
  'first_pass: true',
  'bypass: 12abc',
  'PWD=/home/ada/shop',
  'OLDPWD=/tmp/tmp.aB3xY9kQ2z',
  'pwd: /home/bob/work2',
  `GPG_KEY=${SHA1}`,
  'SSH_AUTH_SOCK=/tmp/ssh-a1B2c3D4e5/agent.123',
  'password hashing uses argon2id',
  'password: argon2id',
  'password: bcrypt12',
  'token: base64url',
  'token: RS256',
  'password: sha256',
  'password: 8-64',
  'password is incorrect',
  'The password is required.',
  'the secret is 32bytes',
  'the token is OAuth2',
  'Reset password: POST /v1/auth/reset',
  "forgotPassword: '/auth/forgot-password2'",
  'resetPassword: "Reset2"',
  'hasPassword: "yes2024"',
  'http://localhost:3000/@vite/client',
  'https://registry.npmjs.org:443/@types/node',
  'https://example.com:8080/path?email=bob@example.com',
  'postgres://user:password@host:5432/db',
  'postgres://app:${DB_PASSWORD}@db:5432/app',
  'postgres://app:***@db:5432/app',
  'postgres://localhost:5432/app',
  'redis://localhost:6379/0',
  'git@github.com:acme/app.git',
  'ssh://git@github.com/acme/app.git',
  'https://medium.com/@bob/a-post-1234567890abcdef',
  'mailto:bob@example.com',
  'docker run -u 1000:1000 -p 8080:80 -v $PWD:/app node:20',
  'docker run --name mysql -p3306:3306 mysql:8',
  'mkdir -p src/domain2/x && cp -p a b',
  'ssh -p 2222 bob@host',
  'psql -U app -h db -p 5432',
  'mysql -u root -p app',
  'curl -u "$USER:$PASS" https://api.example.com',
  'curl -s https://api.example.com/v1/users?page=2',
  'sk-toggleable__label-arrow',
  'class="sk-container-id-1 sk-text-repr-fallback"',
  'task-level sk-learn pipelines',
  'npm_config_registry=https://registry.npmjs.org/',
  'npm_package_version',
  'hf_hub_download(repo_id="a/b")',
  'pypi-server is running',
  'ghp_ is the prefix of GitHub tokens',
  'tokens that start with github_pat_ or glpat- are scrubbed',
  'xoxb- is a Slack prefix',
  'AKIA is how AWS keys begin',
  "The header '-----BEGIN PRIVATE KEY-----' is detected.",
  String.raw`-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----`,
  'It looks for -----BEGIN RSA PRIVATE KEY----- and for -----END RSA PRIVATE KEY----- in turn.',
  'eyJ is how a JWT begins',
  'data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0=',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'Cookie: theme=dark; lang=en',
  'Set-Cookie: theme=dark; Path=/; Max-Age=31536000; SameSite=Lax',
  'cookie: name=value',
  'The cookie is set: session=abc',
  'signature=verify(payload)',
  'ZodError: [{"path":["password"],"message":"Too small: expected string to have >=8 characters"}]',
  '{"type":"service_account","project_id":"acme-2024"}',
  'AWS_REGION=eu-central-1',
  'aws_access_key_id = <id>',
  'AccountName=acme;EndpointSuffix=core.windows.net',
  '- [x] AC-003: API key rotation works (see `rotate-api-key.ts`)',
  "| password | string | yes | the user's password |",
  '`token` | `string` | bearer token',
  '**Password**: hashed with bcrypt (cost 12)',
  '1. Set `API_KEY` in `.env`',
  'export PATH=$PATH:/opt/key2/bin',
  '--password-stdin',
  '--token TOKEN',
  'use --token to pass a token, or --password and a user',
  '--max-tokens=4096 --tokenizer=cl100k_base',
  '--key-file=./certs/server2.key',
  'KEYCLOAK_URL=https://sso.example.com/realms/app2',
  "authToken: 'YOUR_AUTH_TOKEN'",
  'api_key: your-api-key-here',
  'API_KEY=changeme',
  'CLIENT_SECRET=<client-secret>',
  "const TOKEN_HEADER = 'x-csrf-token2';",
  'token := lexer.Next2()',
  "Token(type=IDENT, value='foo2')",
  'case Token.Identifier2: return key;',
  'expect(token).toBe(expectedToken2)',
  'expect(response.token).toMatch(/^[A-Za-z0-9]{32}$/)',
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: shells and templates write them

describe('text without a credential', () => {
  it.each(CLEAN)('stays as it is: %s', (line) => {
    expect(scrubSecrets(line)).toBe(line);
  });

  it('stays as it is when all of it is one text', () => {
    expect(scrubSecrets(CLEAN.join('\n'))).toBe(CLEAN.join('\n'));
  });

  it('stays as it is when it is a string in a JSON text', () => {
    for (const line of CLEAN) expect(scrubSecrets(JSON.stringify(line))).toBe(JSON.stringify(line));
  });

  it('keeps names made of words under a name that promises a secret', () => {
    for (const value of [
      'getOAuth2TokenById',
      'TASK-AUTH-001',
      'node-18',
      'kv/data/db',
      'v1.2.3',
      '2024-01-15',
    ]) {
      expect(scrubSecrets(`token: ${value}`)).toBe(`token: ${value}`);
    }
  });
});

/** Parts of tokens, names, separators and markers, in any order. */
const fragment = fc.oneof(
  fc.constantFrom(...SECRET_PATTERNS.flatMap(({ hints }) => hints)),
  fc.constantFrom(
    'password',
    'api_key',
    'DB_PASSWORD',
    'token',
    'secret',
    'pass',
    'auth',
    '--token',
    'cookie',
  ),
  fc.constantFrom(
    '=',
    ':',
    ': ',
    '="',
    "='",
    '\\"',
    '":"',
    '=>',
    ' is ',
    ' ',
    ', ',
    '\n',
    '\\n',
    ';',
    '&',
    '@',
    '/',
  ),
  fc.constantFrom(
    '://',
    '.',
    '-',
    '_',
    '<',
    '>',
    '|',
    '(',
    ')',
    '[',
    ']',
    '`',
    '%20',
    '\u001b[32m',
    '${',
    '\\',
    '密',
  ),
  fc.constantFrom(
    '[scrubbed:password]',
    '[scrubbed:jwt]',
    '[scrubbed:',
    'scrubbed:]',
    '[scrubbed:url-password]@',
  ),
  fc.constantFrom(
    'hunter2',
    'postgres',
    'string',
    'correct horse battery staple',
    '***',
    btoa('bob:hunter2'),
  ),
  fc.constantFrom('-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----', 'Proc-Type: 4,ENCRYPTED\n'),
  fc.constantFrom(
    'curl ',
    'mysql ',
    ' -u a:',
    ' -p',
    ' -p ',
    'postgres://',
    'user:',
    'Bearer ',
    'Basic ',
    'eyJ',
  ),
  fc.nat().map((seed) => maker(seed)(seed % 50)),
  fc.nat().map((seed) => `${maker(seed)(64, BASE64)}\n`),
  fc.tuple(fc.nat(), fc.constantFrom(...TOKEN_NAMES)).map(([seed, name]) => tokenSample(name, seed).text),
  fc.tuple(fc.nat(), fc.constantFrom(...CONTEXT_NAMES)).map(([seed, name]) => contextSample(name, seed).text),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const hostileText = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''));
const PROPERTY = { numRuns: runs(3000) };

describe('scrubbing any text', () => {
  it('twice gives the same as once', () => {
    fc.assert(
      fc.property(hostileText, (hostile) => {
        const once = scrubSecrets(hostile);
        expect(scrubSecrets(once)).toBe(once);
      }),
      PROPERTY,
    );
  });

  it('makes it at most four times as long', () => {
    fc.assert(
      fc.property(hostileText, (hostile) => {
        expect(scrubSecrets(hostile).length).toBeLessThanOrEqual(4 * hostile.length + 40);
      }),
      PROPERTY,
    );
    const shortest = 'curl -u a:b '.repeat(1000);
    expect(scrubSecrets(shortest).length).toBeLessThan(4 * shortest.length);
  });

  it('leaves scrubbed text of any kind unchanged', () => {
    for (const { scrubbed } of samples(3)) expect(scrubSecrets(scrubbed)).toBe(scrubbed);
  });

  it('never leaves a token between two words', () => {
    const name = fc.constantFrom(...TOKEN_NAMES);
    const word = fc.stringMatching(/^[ A-Za-z,;:=("'\n]{0,20}$/);
    fc.assert(
      fc.property(name, fc.nat(), word, word, (name, seed, before, after) => {
        const { text, secret } = tokenSample(name, seed, `${before} `, ` ${after}`);
        expect(scrubSecrets(text)).not.toContain(secret);
      }),
      PROPERTY,
    );
  });
});

describe('the quick look before the patterns', () => {
  const expectNoneLeftOut = (sample: string) => {
    const { patterns, hasNames } = worthTrying(sample);
    for (const secret of SECRET_PATTERNS) {
      secret.pattern.lastIndex = 0;
      if (secret.pattern.test(sample)) expect(patterns).toContain(secret);
      secret.pattern.lastIndex = 0;
    }
    if (scrubNamedSecrets(sample) !== sample) expect(hasNames).toBe(true);
  };

  it('leaves out no pattern that matches one of the samples', () => {
    for (const { text } of samples(1)) {
      expectNoneLeftOut(text);
      expectNoneLeftOut(`密\u0130\u212a ${text}`);
      expectNoneLeftOut(text.toUpperCase());
    }
  });

  it('leaves out no pattern that matches some text', () => {
    fc.assert(fc.property(hostileText, expectNoneLeftOut), { numRuns: runs(1000) });
  });

  it('every pattern is reached by a sample', () => {
    const reached = new Set<string>();
    for (const { text } of samples(1)) {
      for (const [, kind = ''] of scrubSecrets(text).matchAll(/\[scrubbed:([a-z0-9-]+)\]/g))
        reached.add(kind);
    }
    const known = new Set(SECRET_PATTERNS.map(({ kind }) => kind));
    expect([...known].filter((kind) => !reached.has(kind))).toEqual([]);
  });

  it('tries nothing on prose', () => {
    expect(worthTrying('The coach found that all 42 tests ran and that coverage is 87%.')).toEqual({
      patterns: [],
      hasNames: false,
    });
  });
});

/** One megabyte each; anything slower than linear would run into the time limit. */
const HOSTILE: readonly string[] = [
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----END PRIVATE KEY-----',
  '-',
  'a:',
  'a=',
  'password=',
  'password: ',
  'password="',
  'password=\\"',
  '"password":"',
  'password=,',
  'token=',
  'secret:',
  'pass:',
  'key',
  'key=',
  'api_key: ',
  'password is ',
  'password                    ',
  '--token=',
  'DB_PASSWORD=abcd\n',
  'name: DB_PASSWORD\n  value: ',
  '<password>',
  '{"password":{"password":',
  'X_PWD=abcd ',
  '://',
  'a://a:',
  'postgres://a:',
  'postgres://a:b',
  'http://u:@',
  'http://@',
  '://:',
  'eyJ',
  '-eyJ',
  '-eyJaaaaaaaa',
  'eyJaaaaaaaa.',
  'SG.',
  '-SG.aaaaaaaaaaaaaaaaaaaa',
  'sk-',
  '-sk-',
  'aghp_',
  'xoxb-',
  'ntn_',
  'LTAI-',
  'AKIA',
  'MTaaaaaaaaaaaaaaaaaaaaaaaaaa.',
  'aaa8Q~',
  '12345678:AA',
  '0123456789abcdef',
  '$6$a$',
  'Bearer ',
  'bearer+',
  'Basic ',
  'authorization: ',
  'authorization=',
  'cookie: ',
  'Set-Cookie: a=',
  'sig=',
  '?code=',
  ' -p',
  'mysql -pa',
  'curl ',
  'curl -u a:b ',
  '.-ua:',
  "password 'a",
  'machine a login a password a ',
  'machine ',
  '[scrubbed:',
  '[scrubbed:password]',
  'password=[scrubbed:a]',
  '\\',
  '\\"',
  '"',
  ' ',
  '\n',
  'a',
  '1',
  '_',
  '@',
  '密',
];

describe('hostile text of great length', () => {
  const LENGTH = THOROUGH ? 1_000_000 : 250_000;
  const long = (unit: string) => unit.repeat(Math.ceil(LENGTH / unit.length));
  /** A hundred times the usual time, and less than half of a quadratic one. */
  const LINEAR = { timeout: THOROUGH ? 120_000 : 15_000 };

  it.each(HOSTILE)('takes linear time when it repeats %j', LINEAR, (unit) => {
    scrubSecrets(long(unit));
  });

  it.each(
    rows(3, [
      'password="',
      '"password":"',
      'DB_PASSWORD=',
      'postgres://a:',
      'http://a:',
      'eyJ',
      'SG.',
      'Cookie: a=',
      'mysql -p',
    ]),
  )('takes linear time when one long run follows %j', LINEAR, (head) => {
    for (const unit of ['a', 'a1', '\\', '\\\\', '"', '@', ':', '-', '.', '=', ','])
      scrubSecrets(head + long(unit));
  });

  it('does not exhaust the stack when it is much longer than a body may be', () => {
    for (const unit of THOROUGH ? [':', 'a', 'a=b; ', 'x\n'] : [':', 'a']) {
      for (const head of ['postgres://a:', 'eyJ', 'cookie: '])
        scrubSecrets(head + unit.repeat(4_000_000 / unit.length));
    }
  });

  it('is searched to its end when it is longer than a body may be', () => {
    const { secret } = tokenSample('a GitHub personal token', 1);
    const long = `${'all is well\n'.repeat(300_000)}${secret}\n`;
    expect(scrubSecrets(long)).toBe(`${'all is well\n'.repeat(300_000)}[scrubbed:github-token]\n`);
  });
});

describe('a JSON value', () => {
  const token = `ghp_${maker(1)(36)}`;

  it('is scrubbed in every string at any depth, and numbers, booleans and null stay', () => {
    expect(scrubSecrets({ a: [1, 12345678, true, null, { b: `use ${token}` }], c: 0.5 })).toEqual({
      a: [1, 12345678, true, null, { b: 'use [scrubbed:github-token]' }],
      c: 0.5,
    });
  });

  it('is not changed itself', () => {
    const value = { a: { password: 'hunter2' } };
    scrubSecrets(value);
    expect(value).toEqual({ a: { password: 'hunter2' } });
  });

  it('loses the value of a key that names a secret', () => {
    expect(
      scrubSecrets({
        user: 'bob',
        password: 'hunter2',
        nested: { DB_PASSWORD: 'postgres', api_key: 'abcdefghijklmnop', clientSecret: maker(2)(24) },
        'x-api-key': maker(3)(24),
        passwords: 3,
      }),
    ).toEqual({
      user: 'bob',
      password: '[scrubbed:password]',
      nested: {
        DB_PASSWORD: '[scrubbed:password]',
        api_key: '[scrubbed:secret]',
        clientSecret: '[scrubbed:secret]',
      },
      'x-api-key': '[scrubbed:secret]',
      passwords: 3,
    });
  });

  it('keeps the value of such a key if it is not a secret', () => {
    const value = {
      password: [
        'string',
        'must be at least 8 characters',
        '$(cat secret)',
        '',
        '***',
        '<password>',
        null,
        8,
      ],
      token: 'identifier',
      secret: 'see vault',
      key: 'value',
      max_tokens: 4096,
      tokenizer: 'unicode61',
      session_id: UUID,
      primary_key: 'user_id2',
    };
    expect(scrubSecrets(value)).toEqual(value);
  });

  it('loses secrets in lists under such a key, in listed variables and in arguments', () => {
    expect(
      scrubSecrets({
        password: ['hunter2', 'letmein'],
        env: [
          { name: 'DB_PASSWORD', value: 'letmein' },
          { name: 'LOG_LEVEL', value: 'debug' },
        ],
        argv: ['tool', '--password', 'letmein', '--level', 'debug'],
        secret_key: { value: 'abcdefghijklmnop' },
      }),
    ).toEqual({
      password: ['[scrubbed:password]', '[scrubbed:password]'],
      env: [
        { name: 'DB_PASSWORD', value: '[scrubbed:password]' },
        { name: 'LOG_LEVEL', value: 'debug' },
      ],
      argv: ['tool', '--password', '[scrubbed:password]', '--level', 'debug'],
      secret_key: { value: '[scrubbed:secret]' },
    });
  });

  it('loses the cookies and the authorization of its headers', () => {
    expect(
      scrubSecrets({
        headers: {
          Cookie: `theme=dark; sid=${maker(4)(32)}`,
          Authorization: `Basic ${btoa('bob:hunter2')}`,
          Accept: '*/*',
        },
      }),
    ).toEqual({
      headers: {
        Cookie: 'theme=dark; sid=[scrubbed:cookie]',
        Authorization: 'Basic [scrubbed:authorization]',
        Accept: '*/*',
      },
    });
  });

  it('is scrubbed in its keys, and no value is lost when two of them become the same', () => {
    const other = `ghp_${maker(2)(36)}`;
    const third = `ghp_${maker(3)(36)}`;
    const once = scrubSecrets({ [token]: 1, [other]: 2, '[scrubbed:github-token] (2)': 3, [third]: 4 });
    expect(once).toEqual({
      '[scrubbed:github-token]': 1,
      '[scrubbed:github-token] (2)': 3,
      '[scrubbed:github-token] (3)': 2,
      '[scrubbed:github-token] (4)': 4,
    });
    expect(scrubSecrets(once)).toEqual(once);
  });

  it('with a great many secrets for keys takes no quadratic time', () => {
    const value = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, seed) => [`ghp_${maker(seed)(36)}${seed}`, seed]),
    );
    expect(Object.keys(scrubSecrets(value))).toHaveLength(20_000);
  });

  it('keeps a key named __proto__ as a key', () => {
    const value: JsonValue = JSON.parse('{"__proto__": {"password": "hunter2"}, "constructor": 1}');
    const result = scrubSecrets(value);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"password":"[scrubbed:password]"},"constructor":1}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it('nested a hundred thousand deep does not exhaust the stack', () => {
    for (const wrap of [
      (inner: JsonValue): JsonValue => [inner],
      (inner: JsonValue): JsonValue => ({ a: inner }),
    ]) {
      let deep: JsonValue = token;
      for (let depth = 0; depth < (THOROUGH ? 500_000 : 100_000); depth += 1) deep = wrap(deep);
      let result: JsonValue | undefined = scrubSecrets(deep);
      while (result !== null && typeof result === 'object') result = Object.values(result)[0];
      expect(result).toBe('[scrubbed:github-token]');
    }
  });

  it('keeps its shape, and is the same when scrubbed twice', () => {
    const key = fc.oneof(
      fc.constantFrom('password', 'token', 'api_key', 'name', 'value', 'auth', 'Cookie', '__proto__'),
      hostileText,
    );
    const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        hostileText,
        fc.constantFrom<JsonValue>('hunter2', 'string', 1, true, null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc
          .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name })
          .map((fields) => Object.fromEntries(fields)),
      ),
    }));
    const shape = (value: JsonValue): unknown => {
      if (value === null || typeof value !== 'object') return typeof value === 'string' ? 'string' : value;
      return Object.values(value).map(shape);
    };
    fc.assert(
      fc.property(json, (value) => {
        const once = scrubSecrets(value);
        expect(scrubSecrets(once)).toEqual(once);
        expect(shape(once)).toEqual(shape(value));
      }),
      { numRuns: runs(1000) },
    );
  });
});
