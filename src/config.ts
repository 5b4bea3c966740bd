import { BlockList } from 'node:net';
import { resolve } from 'node:path';
import Joi from 'joi';
import { DomainError } from './errors.ts';
import { type Proxies, readProxies } from './proxies.ts';

const port = Joi.number().integer().min(0).max(65_535);
const count = Joi.number().integer().min(1);
const model = Joi.string()
  .pattern(/^(rules|[^/]+\/.+)$/)
  .messages({ 'string.pattern.base': '{{#label}} must be <provider>/<model>, or rules' });
const key = (provider: string) => Joi.string().description(`API key of ${provider}. A secret.`);
/** What the error of a wrong TRUST_PROXY says. */
const proxyExamples =
  'as IP addresses and CIDR ranges with commas between, such as 127.0.0.1,::1,10.0.0.0/8 ({{#error.message}})';
const domain = Joi.string().hostname().lowercase();

const CALLS_GRACE = 300;

/**
 * Every setting of the service: name, check, default and purpose. A test compares docs/settings.md
 * with it.
 */
export const settings = Joi.object({
  PORT: port
    .default(3000)
    .description('Port of the API, the previews and the live sites; 0 = any free one.'),
  HOST: Joi.string()
    .ip({ version: ['ipv4', 'ipv6'], cidr: 'forbidden' })
    .allow('localhost')
    .default('localhost')
    .messages({ 'string.ipVersion': '{{#label}} must be localhost or an IP address' })
    .description(
      'IP address at which `PORT` is open: `localhost` stands for 127.0.0.1 and ::1, `0.0.0.0` and `::` for all.',
    ),
  PUBLIC_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description(
      'The address that clients use, without a path. Default: `http://localhost:<PORT>`.',
    ),
  DATA_DIR: Joi.string()
    .default('./data')
    .description('Folder of everything that is kept on this machine, for its user only.'),
  ROLE: Joi.string()
    .valid('all', 'api', 'worker')
    .default('all')
    .description('`all`, or only the API, or only a worker.'),
  DATABASE_URL: Joi.string()
    .uri({ scheme: ['postgres', 'postgresql'] })
    .description('PostgreSQL to use instead of the embedded database.'),
  TEMPORAL_ADDRESS: Joi.string().description(
    'Temporal frontend (`host:port`) to use instead of the embedded server.',
  ),
  TEMPORAL_NAMESPACE: Joi.string().default('agent-tasks').description('Temporal namespace.'),
  TEMPORAL_PORT: port
    .default(7233)
    .description('Port of the embedded Temporal server; 0 = any free one.'),
  TEMPORAL_UI_PORT: port
    .default(8233)
    .description("Port of the embedded Temporal server's web UI; 0 = any free one."),
  TEMPORAL_UI_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .pattern(/^[^?#@]*$/, 'no query and no password')
    .description(
      "Address of Temporal's web UI: only of one that asks for a sign-in, as admins of all organizations learn it. Default: the embedded one, unless in production.",
    ),
  TEMPORAL_CLI_PATH: Joi.string().description(
    'The `temporal` command to use for the embedded server.',
  ),
  SITES_DOMAIN: domain
    .default('sites.localhost')
    .description('Live sites answer at `<site>.<SITES_DOMAIN>`.'),
  PREVIEW_DOMAIN: domain
    .default('preview.localhost')
    .description('Previews answer at `<taskId>--<site>.<PREVIEW_DOMAIN>`.'),
  PREVIEW_RETENTION: Joi.number()
    .greater(0)
    .default(30)
    .description('Days that a preview answers after it was made, or last edited by hand.'),
  RATE_LIMIT_CREATE_PER_MINUTE: count
    .default(60)
    .description('Tasks that one API key may create per minute, and, counted apart, check.'),
  RATE_LIMIT_READ_PER_MINUTE: count.default(600).description('Reads of one API key per minute.'),
  TASKS_IN_FLIGHT: Joi.number()
    .integer()
    .min(1)
    .default(100)
    .description('Tasks that one organization may have running.'),
  TASKS_IN_FLIGHT_PER_SITE: Joi.number()
    .integer()
    .min(1)
    .description('Tasks that one site may have running. Default: `TASKS_IN_FLIGHT`.'),
  ORGANIZATION_BYTES: Joi.number()
    .integer()
    .min(1)
    .default(10 * 1024 ** 3)
    .description("Bytes of the copies of one organization's repositories in `DATA_DIR`."),
  SITES_PER_ORGANIZATION: count
    .default(1_000)
    .description('Sites that one organization may have. Those removed in the last 400 days count.'),
  COPIES_BYTES: count.description(
    'Bytes of the copies of all repositories in `DATA_DIR`. Default: half of its disk.',
  ),
  CALLBACK_ALLOW_PRIVATE: Joi.boolean()
    .default(false)
    .description(
      'Allows callbacks to private addresses and plain http. For tests on one machine only.',
    ),
  AGENT_MODEL: model.description(
    'Language model, as `<provider>/<model>`. Unset: the embedded agent, `rules`.',
  ),
  AGENT_PAGE_MODEL: model.description('Language model of generate_pages. Default: `AGENT_MODEL`.'),
  AGENT_MODELS: Joi.string().description(
    'Language models that a request may name beside the two above, with commas between them.',
  ),
  AGENT_BASE_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description(
      "Base URL of the models' API in place of their provider's. Models of `openai-compatible` need it.",
    ),
  AGENT_API_KEY: key('`openai-compatible`, where its API wants one'),
  ANTHROPIC_API_KEY: key('`anthropic`'),
  OPENAI_API_KEY: key('`openai`'),
  GOOGLE_GENERATIVE_AI_API_KEY: key('`google`'),
  AGENT_TURNS: count
    .default(30)
    .description('Calls of its language model that a prompt task may make.'),
  AGENT_TOKENS: count
    .default(1_000_000)
    .description('Tokens that a task may use, read and written.'),
  AGENT_MINUTES: count.default(20).description('Minutes that a task of a language model may work.'),
  AGENT_PAGES_CHANGED: count
    .default(50)
    .description('Pages that a language model may create or modify in one prompt task.'),
  AGENT_PAGES_DELETED: Joi.number()
    .integer()
    .min(0)
    .default(5)
    .description('Pages that a language model may delete in one prompt task.'),
  AGENT_CALLS_AT_ONCE: count
    .default(20)
    .description(
      'Calls of language models that one process makes at once. One organization alone makes one less.',
    ),
  AGENT_CALLS_PER_MINUTE: count
    .default(600)
    .description('Calls of language models that all processes begin per minute.'),
  AGENT_CALLS_GRACE: Joi.number()
    .min(0)
    .description(
      'Seconds that calls of language models get to end at SIGTERM. ' +
        `Default: ${CALLS_GRACE}, as long as one may take, with \`TEMPORAL_ADDRESS\`; otherwise \`SHUTDOWN_GRACE\`.`,
    ),
  SECRETS_KEYS: Joi.string()
    .pattern(/^\s*[\w.-]{1,64}:[\w+/-]{43}=?\s*(,\s*[\w.-]{1,64}:[\w+/-]{43}=?\s*)*$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a list of <id>:<base64 of 32 bytes>' })
    .description(
      'Keys that encrypt credentials: `<id>:<base64 of 32 bytes>`, with commas between. The first encrypts. A secret.',
    ),
  LOG_LEVEL: Joi.string()
    .valid('trace', 'debug', 'info', 'warn', 'error', 'silent')
    .default('info')
    .description('Least level that is logged.'),
  METRICS_ADDRESS: Joi.string()
    .pattern(/^[^\s/@]+:\d{1,5}$/, 'host:port')
    .description(
      'Where Prometheus finds the metrics (`host:port`, path `/metrics`). Default: nowhere.',
    ),
  SIGNUP: Joi.string()
    .valid('open', 'invite', 'closed')
    .default('invite')
    .description('Who may make an account: anybody, who was invited, or nobody.'),
  SMTP_URL: Joi.string()
    .uri({ scheme: ['smtp', 'smtps'] })
    .description(
      'Mail server (`smtp://user:password@host:port`) for invitations and links. A secret.',
    ),
  MAIL_FROM: Joi.string().description(
    'Sender of mails: an address, or `Name <address>`. `SMTP_URL` needs it.',
  ),
  OIDC_ISSUER: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description('OpenID Connect provider with which people may sign in.'),
  OIDC_CLIENT_ID: Joi.string().description('Client id of this service at the provider.'),
  OIDC_CLIENT_SECRET: Joi.string().description(
    'Client secret of this service at the provider. A secret.',
  ),
  OIDC_NAME: Joi.string()
    .default('single sign-on')
    .description("The provider's name, as the sign-in shows it."),
  SHUTDOWN_GRACE: Joi.number()
    .min(0)
    .default(10)
    .description('Seconds that running requests and activities get to end at SIGTERM.'),
  TRUST_PROXY: Joi.string()
    .custom(readProxies)
    .messages({ 'any.custom': `{{#label}} must list the addresses of proxies, ${proxyExamples}` })
    .description(
      'Addresses of proxies whose `X-Forwarded-For` counts: IP addresses and CIDR ranges, with commas between.',
    ),
  NODE_ENV: Joi.string()
    .default('development')
    .description('`production` refuses settings that are only for tests, and makes no demo.'),
})
  .with('SMTP_URL', 'MAIL_FROM')
  .and('OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET')
  .custom((values: Record<string, unknown>, helpers) =>
    values.CALLBACK_ALLOW_PRIVATE && values.NODE_ENV === 'production'
      ? helpers.message({
          custom: '"CALLBACK_ALLOW_PRIVATE" must not be true where NODE_ENV is production',
        })
      : values,
  );

export type Config = ReturnType<typeof readConfig>;

/** The settings that are secrets of providers of language models. */
const modelKeys = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  compatible: 'AGENT_API_KEY',
} as const;

const secrets = [
  ...Object.values(modelKeys),
  'DATABASE_URL',
  'SECRETS_KEYS',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
];
/** Those of `@temporalio/envconfig`. */
const temporalSecret = /^TEMPORAL_(API_KEY|TLS_CLIENT_KEY_DATA|CODEC_AUTH|GRPC_META_.*)$/;

/**
 * Takes secrets out of an environment, so that no library and no thread finds them there. Child
 * processes get named variables only (environment.ts).
 */
export function forgetSecrets(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(env))
    if (secrets.includes(name) || temporalSecret.test(name)) delete env[name];
}

/**
 * Reads and checks the settings; nothing else reads the environment.
 * @param env the process's environment: strings by name; an empty string counts as unset
 * @returns the frozen configuration
 * @throws DomainError CONFIGURATION that names every wrong setting at once
 */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = settings.validate(given, { abortEarly: false, stripUnknown: true });
  const { error } = result;
  const value = result.value as Record<string, unknown>;
  if (error)
    throw new DomainError(
      'CONFIGURATION',
      `Wrong settings: ${error.details.map((d) => d.message).join('; ')}`,
    );
  return Object.freeze({
    port: value.PORT as number,
    host: value.HOST as string,
    publicUrl: value.PUBLIC_URL as string | undefined,
    dataDir: resolve(value.DATA_DIR as string),
    role: value.ROLE as 'all' | 'api' | 'worker',
    databaseUrl: value.DATABASE_URL as string | undefined,
    temporal: Object.freeze({
      address: value.TEMPORAL_ADDRESS as string | undefined,
      namespace: value.TEMPORAL_NAMESPACE as string,
      port: value.TEMPORAL_PORT as number,
      uiPort: value.TEMPORAL_UI_PORT as number,
      uiUrl: value.TEMPORAL_UI_URL as string | undefined,
      cliPath: value.TEMPORAL_CLI_PATH as string | undefined,
      /** The `TEMPORAL_*` variables as given, for `@temporalio/envconfig`. */
      environment: Object.fromEntries(
        Object.entries(given).filter(([name]) => name.startsWith('TEMPORAL_')),
      ) as Record<string, string>,
    }),
    sitesDomain: value.SITES_DOMAIN as string,
    previewDomain: value.PREVIEW_DOMAIN as string,
    previewRetention: value.PREVIEW_RETENTION as number,
    rateLimits: Object.freeze({
      createPerMinute: value.RATE_LIMIT_CREATE_PER_MINUTE as number,
      readPerMinute: value.RATE_LIMIT_READ_PER_MINUTE as number,
    }),
    tasksInFlight: Object.freeze({
      organization: value.TASKS_IN_FLIGHT as number,
      site: (value.TASKS_IN_FLIGHT_PER_SITE ?? value.TASKS_IN_FLIGHT) as number,
    }),
    organizationBytes: value.ORGANIZATION_BYTES as number,
    sitesPerOrganization: value.SITES_PER_ORGANIZATION as number,
    copiesBytes: value.COPIES_BYTES as number | undefined,
    secretsKeys: value.SECRETS_KEYS as string | undefined,
    callbackAllowPrivate: value.CALLBACK_ALLOW_PRIVATE as boolean,
    agent: agentSettings(value),
    accounts: accountSettings(value),
    logLevel: value.LOG_LEVEL as string,
    metricsAddress: value.METRICS_ADDRESS as string | undefined,
    shutdownGrace: value.SHUTDOWN_GRACE as number,
    trustProxy: (value.TRUST_PROXY ?? new BlockList()) as Proxies,
    production: value.NODE_ENV === 'production',
  });
}

function accountSettings(value: Record<string, unknown>) {
  const issuer = value.OIDC_ISSUER as string | undefined;
  return Object.freeze({
    signUp: value.SIGNUP as 'open' | 'invite' | 'closed',
    smtpUrl: value.SMTP_URL as string | undefined,
    mailFrom: value.MAIL_FROM as string | undefined,
    oidc:
      issuer === undefined
        ? undefined
        : Object.freeze({
            name: value.OIDC_NAME as string,
            issuer,
            clientId: value.OIDC_CLIENT_ID as string,
            clientSecret: value.OIDC_CLIENT_SECRET as string,
          }),
  });
}

function agentSettings(value: Record<string, unknown>) {
  const named = value.AGENT_MODELS as string | undefined;
  const given = Object.entries(modelKeys).filter(([, name]) => value[name] !== undefined);
  const keys: Partial<Record<keyof typeof modelKeys, string>> = Object.fromEntries(
    given.map(([provider, name]) => [provider, value[name]]),
  );
  return Object.freeze({
    model: value.AGENT_MODEL as string | undefined,
    pageModel: (value.AGENT_PAGE_MODEL ?? value.AGENT_MODEL) as string | undefined,
    models: (named ?? '').split(',').flatMap((name) => name.trim() || []),
    baseUrl: value.AGENT_BASE_URL as string | undefined,
    keys,
    /** What a task of a language model may use up, where its request names nothing else. */
    budget: Object.freeze({
      turns: value.AGENT_TURNS as number,
      tokens: value.AGENT_TOKENS as number,
      minutes: value.AGENT_MINUTES as number,
      pagesChanged: value.AGENT_PAGES_CHANGED as number,
      pagesDeleted: value.AGENT_PAGES_DELETED as number,
    }),
    calls: Object.freeze({
      atOnce: value.AGENT_CALLS_AT_ONCE as number,
      perMinute: value.AGENT_CALLS_PER_MINUTE as number,
      /** Seconds. Where other workers go on meanwhile, nobody waits for them. */
      grace: (value.AGENT_CALLS_GRACE ??
        (value.TEMPORAL_ADDRESS === undefined ? value.SHUTDOWN_GRACE : CALLS_GRACE)) as number,
    }),
  });
}

/**
 * Refuses settings that can't work, or not together.
 * @throws DomainError CONFIGURATION
 */
export function checkTopology({ role, databaseUrl, publicUrl, temporal }: Config) {
  const missing = [
    databaseUrl === undefined && 'DATABASE_URL',
    temporal.address === undefined && 'TEMPORAL_ADDRESS',
    publicUrl === undefined && 'PUBLIC_URL',
  ].filter(Boolean);
  if (role !== 'all' && missing.length > 0) {
    throw new DomainError(
      'CONFIGURATION',
      `ROLE=${role} works with other processes and needs ${missing.join(', ')}`,
    );
  }
}
