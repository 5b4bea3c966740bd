import { BlockList } from 'node:net';
import { resolve } from 'node:path';
import Joi, { type AnySchema } from 'joi';
import { withoutUndefined } from './contract/withoutUndefined.ts';
import { type ModelPrices, parsePrices } from './contract/prices.ts';
import { DomainError } from './errors.ts';
import { type TrustedProxies, readProxies } from './trustedProxies.ts';

type EnvironmentVariables = Record<string, string | undefined>;

const portSchema = Joi.number().integer().min(0).max(65_535);
const countSchema = Joi.number().integer().min(1);
const domainSchema = Joi.string().hostname().lowercase();
const webUrlSchema = Joi.string().uri({ scheme: ['http', 'https'] });
const oneOfSchema = <const T extends string>(...names: T[]) => Joi.string<T>().valid(...names);
const modelsSchema = Joi.string<string[]>()
  .custom((text: string) => {
    const names = text.split(',').flatMap((name) => name.trim() || []);
    if (names.every((name) => /^(rules|[^/]+\/.+)$/.test(name))) return names;
    throw new Error('a name is not valid');
  })
  .messages({
    'any.custom':
      '{{#label}} must list language models as <provider>/<model>, or rules, separated by commas',
  });
/** The end of the error message for a wrong TRUST_PROXY. */
const proxyExamples =
  'as IP addresses and CIDR ranges, separated by commas, such as 127.0.0.1,::1,10.0.0.0/8 ({{#error.message}})';

/** The end of the error message for wrong AGENT_PRICES. */
const priceExamples =
  'as <provider>/<model>=<input>/<cached>/<output>, separated by commas, such as openai/gpt-5=1.25/0.125/10 ({{#error.message}})';

/**
 * Seconds that language model calls get to end at SIGTERM, if there may be other workers: as long
 * as one call may take.
 */
const CALLS_GRACE = 300;
/** Seconds that running requests and activities get to end at SIGTERM. */
const SHUTDOWN_GRACE = 10;

/**
 * Creates a function that reads one setting from the environment. It also collects the schemas of
 * all settings, and the names of secret ones.
 */
function createSettingReader(env: EnvironmentVariables) {
  const schemas: Record<string, AnySchema> = {};
  const secrets: string[] = [];

  interface SettingWithDefault<T> {
    default: NoInfer<T>;
  }
  interface OptionalSetting {
    isSecret?: true;
  }
  function setting<T>(
    name: string,
    schema: AnySchema<T>,
    sentence: string,
    options: SettingWithDefault<T>,
  ): T;
  function setting<T>(
    name: string,
    schema: AnySchema<T>,
    sentence: string,
    options?: OptionalSetting,
  ): T | undefined;
  function setting<T>(
    name: string,
    schema: AnySchema<T>,
    sentence: string,
    options: Partial<SettingWithDefault<T>> & OptionalSetting = {},
  ): T | undefined {
    const describedSchema = schema.description(sentence);
    const fullSchema =
      options.default === undefined ? describedSchema : describedSchema.default(options.default);
    schemas[name] = fullSchema;
    if (options.isSecret) secrets.push(name);
    const result = fullSchema.validate(env[name]);
    if (result.error) throw result.error;
    return result.value;
  }
  return { setting, schemas, secrets };
}

type SettingReader = ReturnType<typeof createSettingReader>['setting'];

/** All settings of the service: name, schema, description and default of each. */
function readAllSettings(setting: SettingReader, env: EnvironmentVariables) {
  const listening = {
    port: setting(
      'PORT',
      portSchema,
      'Port of the API, the previews and the live sites. 0 means any free port.',
      { default: 3000 },
    ),
    host: setting(
      'HOST',
      Joi.string()
        .ip({ version: ['ipv4', 'ipv6'], cidr: 'forbidden' })
        .allow('localhost')
        .messages({ 'string.ipVersion': '{{#label}} must be localhost or an IP address' }),
      'IP address on which the service listens. `localhost` means 127.0.0.1 and ::1. `0.0.0.0` and `::` mean all addresses.',
      { default: 'localhost' },
    ),
    publicUrl: setting(
      'PUBLIC_URL',
      webUrlSchema,
      'URL that clients use, without a path. Default: `http://localhost:<PORT>`.',
    ),
  };
  const dataDir = setting(
    'DATA_DIR',
    Joi.string(),
    'Folder for all data of the service on this machine. Only the user of the service can read it.',
    { default: './data' },
  );
  const role = setting(
    'ROLE',
    oneOfSchema('all', 'api', 'worker'),
    'What the process runs: the API (`api`), a worker (`worker`), or both (`all`).',
    { default: 'all' },
  );
  const databaseUrl = setting(
    'DATABASE_URL',
    Joi.string().uri({ scheme: ['postgres', 'postgresql'] }),
    'URL of a PostgreSQL database to use instead of the embedded database. A secret.',
    { isSecret: true },
  );
  const temporal = temporalSettings(setting, env);
  const sites = siteSettings(setting);
  const callsGrace = temporal.address === undefined ? SHUTDOWN_GRACE : CALLS_GRACE;
  return Object.freeze({
    ...listening,
    dataDir: resolve(dataDir),
    role,
    databaseUrl,
    temporal,
    ...sites,
    shutdownGrace: SHUTDOWN_GRACE,
    agent: agentSettings(setting, callsGrace),
    ...operatorSettings(setting),
  });
}

/** The port of the Temporal UI is this much above the server's, as in Temporal's own CLI. */
const UI_PORT_DISTANCE = 1_000;

function temporalSettings(setting: SettingReader, env: EnvironmentVariables) {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (name.startsWith('TEMPORAL_') && value !== undefined) environment[name] = value;
  const temporalPort = setting(
    'TEMPORAL_PORT',
    portSchema.max(65_535 - UI_PORT_DISTANCE),
    'Port of the embedded Temporal server. 0 means any free port. Its web UI has this port plus 1,000.',
    { default: 7233 },
  );
  return Object.freeze({
    address: setting(
      'TEMPORAL_ADDRESS',
      Joi.string(),
      'Address (`host:port`) of a Temporal server to use instead of the embedded server.',
    ),
    namespace: setting('TEMPORAL_NAMESPACE', Joi.string(), 'Temporal namespace.', {
      default: 'agent-tasks',
    }),
    port: temporalPort,
    uiPort: temporalPort === 0 ? 0 : temporalPort + UI_PORT_DISTANCE,
    uiUrl: setting(
      'TEMPORAL_UI_URL',
      webUrlSchema.pattern(/^[^?#@]*$/, 'no query and no password'),
      'URL of the Temporal UI. The admins of all organizations see it, so it must require a sign-in. Default: the embedded UI, but none in production.',
    ),
    cliPath: setting(
      'TEMPORAL_CLI_PATH',
      Joi.string(),
      'The `temporal` command to use for the embedded server.',
    ),
    /** The `TEMPORAL_*` variables as given, for `@temporalio/envconfig`. */
    environment,
  });
}

function siteSettings(setting: SettingReader) {
  const domains = {
    sitesDomain: setting(
      'SITES_DOMAIN',
      domainSchema,
      'Domain of the live sites, which are served at `<site>.<SITES_DOMAIN>`.',
      {
        default: 'sites.localhost',
      },
    ),
    previewDomain: setting(
      'PREVIEW_DOMAIN',
      domainSchema,
      'Domain of the previews, which are served at `<taskId>--<site>.<PREVIEW_DOMAIN>`.',
      { default: 'preview.localhost' },
    ),
    previewRetention: setting(
      'PREVIEW_RETENTION',
      Joi.number().greater(0),
      'Days after which a preview expires. They start when it is created, and again at each edit by hand.',
      { default: 30 },
    ),
  };
  const rateLimits = Object.freeze({
    createPerMinute: setting(
      'RATE_LIMIT_CREATE_PER_MINUTE',
      countSchema,
      'Tasks that one API key may create per minute. Checks of tasks have a limit of the same size.',
      { default: 60 },
    ),
    readPerMinute: setting(
      'RATE_LIMIT_READ_PER_MINUTE',
      countSchema,
      'Read requests that one API key may make per minute.',
      { default: 600 },
    ),
  });
  return {
    ...domains,
    rateLimits,
    tasksInFlight: setting(
      'TASKS_IN_FLIGHT',
      countSchema,
      'Tasks of one organization that may run at the same time.',
      { default: 100 },
    ),
    callbackAllowPrivate: setting(
      'CALLBACK_ALLOW_PRIVATE',
      Joi.boolean(),
      'Allows callbacks to private IP addresses and over plain http. For tests on one machine only.',
      { default: false },
    ),
  };
}

function agentSettings(setting: SettingReader, callsGrace: number) {
  const keySetting = (name: string, provider: string) =>
    setting(name, Joi.string(), `API key of ${provider}. A secret.`, { isSecret: true });
  return Object.freeze({
    /** The first one does tasks whose requests name no model. */
    models:
      setting(
        'AGENT_MODEL',
        modelsSchema,
        'Language models, as `<provider>/<model>`, separated by commas. The first is the default; a request may choose another one. Default: the rules.',
      ) ?? [],
    baseUrl: setting(
      'AGENT_BASE_URL',
      webUrlSchema,
      'Base URL of the model API, instead of the URL of the provider. Required for `openai-compatible`.',
    ),
    keys: withoutUndefined({
      compatible: keySetting('AGENT_API_KEY', '`openai-compatible`, if its API requires one'),
      anthropic: keySetting('ANTHROPIC_API_KEY', '`anthropic`'),
      openai: keySetting('OPENAI_API_KEY', '`openai`'),
      google: keySetting('GOOGLE_GENERATIVE_AI_API_KEY', '`google`'),
    }),
    budget: budgetSettings(setting),
    ...costSettings(setting),
    callsAtOnce: setting(
      'AGENT_CALLS_AT_ONCE',
      countSchema,
      'Language model calls that one process makes at the same time. A single organization makes at most one less.',
      { default: 20 },
    ),
    /** Seconds that calls of language models get to end at SIGTERM. */
    callsGrace,
  });
}

/** What language models may use, and what they cost. */
function costSettings(setting: SettingReader) {
  return {
    tokensPerMonth: setting(
      'AGENT_TOKENS_PER_MONTH',
      countSchema,
      'Tokens that one organization may use per month (UTC). Its owners may set a lower limit. Default: no limit.',
    ),
    prices:
      setting(
        'AGENT_PRICES',
        Joi.string<ModelPrices>()
          .custom(parsePrices)
          .messages({ 'any.custom': `{{#label}} must list prices ${priceExamples}` }),
        'Prices of a million tokens in USD, as `<provider>/<model>=<input>/<cached>/<output>`, separated by commas. Cache writes cost the same as input.',
      ) ?? new Map<string, never>(),
  };
}

/** Default limits for a task that a language model does. A request may set others. */
const budgetSettings = (setting: SettingReader) =>
  Object.freeze({
    turns: 30,
    tokens: setting('AGENT_TOKENS', countSchema, 'Input and output tokens that one task may use.', {
      default: 1_000_000,
    }),
    minutes: 20,
    pagesChanged: 50,
    pagesDeleted: 5,
  });

function operatorSettings(setting: SettingReader) {
  return {
    secretsKeys: setting(
      'SECRETS_KEYS',
      Joi.string()
        .pattern(/^\s*[\w.-]{1,64}:[\w+/-]{43}=?\s*(,\s*[\w.-]{1,64}:[\w+/-]{43}=?\s*)*$/)
        .messages({
          'string.pattern.base': '{{#label}} must be a list of <id>:<base64 of 32 bytes>',
        }),
      'Keys that encrypt credentials, as `<id>:<base64 of 32 bytes>`, separated by commas. The first one encrypts new values. A secret.',
      { isSecret: true },
    ),
    encryptPayloads: setting(
      'ENCRYPT_PAYLOADS',
      Joi.boolean(),
      'Encrypts the data of tasks in Temporal with the first of `SECRETS_KEYS`, which is then required.',
      { default: false },
    ),
    logLevel: setting(
      'LOG_LEVEL',
      oneOfSchema('trace', 'debug', 'info', 'warn', 'error', 'silent'),
      'Lowest level of the log lines that are written.',
      { default: 'info' },
    ),
    metricsAddress: setting(
      'METRICS_ADDRESS',
      Joi.string().pattern(/^[^\s/@]+:\d{1,5}$/, 'host:port'),
      'Address (`host:port`) at which the service serves its metrics for Prometheus, at the path `/metrics`. Default: no metrics.',
    ),
    traces: traceSettings(setting),
    accounts: accountSettings(setting),
    trustProxy:
      setting(
        'TRUST_PROXY',
        Joi.string<TrustedProxies>()
          .custom(readProxies)
          .messages({
            'any.custom': `{{#label}} must list the proxies ${proxyExamples}`,
          }),
        'Proxies whose `X-Forwarded-For` header is trusted, as IP addresses and CIDR ranges, separated by commas.',
      ) ?? new BlockList(),
    production:
      setting(
        'NODE_ENV',
        Joi.string(),
        '`production` rejects settings that are for tests only, and does not create the demo sites.',
        { default: 'development' },
      ) === 'production',
  };
}

/** The receiver of traces. undefined: no traces. */
function traceSettings(setting: SettingReader) {
  const endpoint = setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    webUrlSchema.pattern(/^[^?#@]*$/, 'no query and no password'),
    'Base URL of an OpenTelemetry receiver (OTLP over HTTP), to which the service sends traces. Default: no traces.',
  );
  const headers = setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    Joi.string<Record<string, string>>().custom(parseHeaders).messages({
      'any.custom': '{{#label}} must list headers as <name>=<value>, separated by commas',
    }),
    'Header fields for that receiver, as `<name>=<value>`, separated by commas. Special characters are percent-encoded. A secret.',
    { isSecret: true },
  );
  return endpoint === undefined ? undefined : Object.freeze({ endpoint, headers: headers ?? {} });
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e]+$/;

/** Reads `name=value,…`, as OpenTelemetry specifies it. @throws Error if the text is malformed */
function parseHeaders(text: string): Record<string, string> {
  const fields = text.split(',').map((field) => {
    const [name, ...values] = field.split('=');
    const header = [name!.trim(), decodeURIComponent(values.join('=').trim())] as const;
    if (values.length === 0 || !headerName.test(header[0]) || !headerValue.test(header[1]))
      throw new Error('a field is not valid');
    return header;
  });
  return Object.fromEntries(fields);
}

function accountSettings(setting: SettingReader) {
  const mailSettings = {
    signUp: setting(
      'SIGNUP',
      oneOfSchema('open', 'invite', 'closed'),
      'Who may create an account: anybody (`open`), invited people (`invite`) or nobody (`closed`).',
      { default: 'invite' },
    ),
    smtpUrl: setting(
      'SMTP_URL',
      Joi.string().uri({ scheme: ['smtp', 'smtps'] }),
      'Mail server for all emails, as `smtp://user:password@host:port`. A secret.',
      { isSecret: true },
    ),
    mailFrom: setting(
      'MAIL_FROM',
      Joi.string(),
      'Sender of emails, as `email` or `Name <email>`. Required with `SMTP_URL`.',
    ),
  };
  const issuer = setting(
    'OIDC_ISSUER',
    webUrlSchema,
    'URL of an OpenID Connect provider with which people can sign in.',
  );
  const clientId = setting(
    'OIDC_CLIENT_ID',
    Joi.string(),
    'Client ID of this service at the OpenID Connect provider.',
  );
  const clientSecret = setting(
    'OIDC_CLIENT_SECRET',
    Joi.string(),
    'Client secret of this service at the OpenID Connect provider. A secret.',
    { isSecret: true },
  );
  const oidc =
    issuer === undefined || clientId === undefined || clientSecret === undefined
      ? undefined
      : Object.freeze({ issuer, clientId, clientSecret });
  return Object.freeze({ ...mailSettings, oidc });
}

const settingsTable = createSettingReader({});
readAllSettings(settingsTable.setting, {});

/** The schema of all settings, with the dependencies between them. */
export const settingsSchema = Joi.object<Record<string, unknown>>(settingsTable.schemas)
  .with('SMTP_URL', 'MAIL_FROM')
  .and('OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET')
  .custom((values: Record<string, unknown>, helpers) =>
    values.ENCRYPT_PAYLOADS && values.SECRETS_KEYS === undefined
      ? helpers.message({
          custom:
            '"ENCRYPT_PAYLOADS" requires "SECRETS_KEYS". Create a key with `openssl rand -base64 32`',
        })
      : values,
  )
  .custom((values: Record<string, unknown>, helpers) =>
    values.CALLBACK_ALLOW_PRIVATE && values.NODE_ENV === 'production'
      ? helpers.message({
          custom: '"CALLBACK_ALLOW_PRIVATE" must not be true if NODE_ENV is production',
        })
      : values,
  );

export type ServiceConfig = ReturnType<typeof readAllSettings>;

/** Secrets among the variables of `@temporalio/envconfig`. */
const temporalSecret = /^TEMPORAL_(API_KEY|TLS_CLIENT_KEY_DATA|CODEC_AUTH|GRPC_META_.*)$/;

/**
 * Removes secrets from an environment, so that no library and no thread can read them. Child
 * processes get only the variables that environment.ts names.
 */
export function forgetSecrets(env: EnvironmentVariables): void {
  for (const name of Object.keys(env))
    if (settingsTable.secrets.includes(name) || temporalSecret.test(name)) delete env[name];
}

/**
 * Reads and checks the settings; nothing else reads the environment.
 * @param env the process's environment: strings by name; an empty string counts as unset
 * @returns the frozen configuration
 * @throws DomainError CONFIGURATION that names every wrong setting at once
 */
export function readConfig(env: EnvironmentVariables): ServiceConfig {
  const givenVariables = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== ''),
  );
  const { error } = settingsSchema.validate(givenVariables, {
    abortEarly: false,
    stripUnknown: true,
  });
  if (error)
    throw new DomainError(
      'CONFIGURATION',
      `Invalid settings: ${error.details.map((detail) => detail.message).join('; ')}`,
    );
  return readAllSettings(createSettingReader(givenVariables).setting, givenVariables);
}

/**
 * Refuses settings that can't work, alone or together.
 * @throws DomainError CONFIGURATION
 */
export function checkTopology({ role, databaseUrl, publicUrl, temporal }: ServiceConfig) {
  const missingSettings = [
    databaseUrl === undefined && 'DATABASE_URL',
    temporal.address === undefined && 'TEMPORAL_ADDRESS',
    publicUrl === undefined && 'PUBLIC_URL',
  ].filter(Boolean);
  if (role !== 'all' && missingSettings.length > 0) {
    throw new DomainError(
      'CONFIGURATION',
      `ROLE=${role} shares its work with other processes and requires ${missingSettings.join(', ')}`,
    );
  }
}
