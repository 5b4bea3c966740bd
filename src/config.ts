import { resolve } from 'node:path';
import Joi from 'joi';
import { DomainError } from './errors.ts';

const port = Joi.number().integer().min(0).max(65_535);
const perMinute = Joi.number().integer().min(1);
const domain = Joi.string().hostname().lowercase();

/** Every setting of the service: name, check, default and purpose. A test compares docs/settings.md with it. */
export const settings = Joi.object({
  PORT: port.default(3000).description('Port of the API, the previews and the live sites; 0 = any free one.'),
  PUBLIC_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description('The address that clients use, without a path. Default: `http://localhost:<PORT>`.'),
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
  TEMPORAL_ADDRESS: Joi.string().description('Temporal frontend (`host:port`) to use instead of the embedded server.'),
  TEMPORAL_NAMESPACE: Joi.string().default('agent-tasks').description('Temporal namespace.'),
  TEMPORAL_PORT: port.default(7233).description('Port of the embedded Temporal server; 0 = any free one.'),
  TEMPORAL_UI_PORT: port.default(8233).description("Port of the embedded Temporal server's web UI; 0 = any free one."),
  TEMPORAL_CLI_PATH: Joi.string().description('The `temporal` command to use for the embedded server.'),
  SITES_DOMAIN: domain.default('sites.localhost').description('Live sites answer at `<site>.<SITES_DOMAIN>`.'),
  PREVIEW_DOMAIN: domain
    .default('preview.localhost')
    .description('Previews answer at `<taskId>--<site>.<PREVIEW_DOMAIN>`.'),
  PREVIEW_RETENTION: Joi.number()
    .greater(0)
    .default(30)
    .description('Days that a preview answers after it was made, or last edited by hand.'),
  RATE_LIMIT_CREATE_PER_MINUTE: perMinute.default(60).description('Tasks that one API key may create per minute.'),
  RATE_LIMIT_READ_PER_MINUTE: perMinute.default(600).description('Reads of one API key per minute.'),
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
  CALLBACK_ALLOW_PRIVATE: Joi.boolean()
    .default(false)
    .description('Allows callbacks to private addresses and plain http. For tests on one machine only.'),
  AGENT_MODEL: Joi.string().description('Language model of prompt tasks. Unset: the embedded `rules`.'),
  AGENT_PAGE_MODEL: Joi.string().description('Language model of generate_pages. Default: `AGENT_MODEL`.'),
  AGENT_BASE_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description("Base URL of the model's API."),
  LOG_LEVEL: Joi.string()
    .valid('trace', 'debug', 'info', 'warn', 'error', 'silent')
    .default('info')
    .description('Least level that is logged.'),
  METRICS_ADDRESS: Joi.string()
    .pattern(/^[^\s/@]+:\d{1,5}$/, 'host:port')
    .description('Where Prometheus finds the metrics (`host:port`, path `/metrics`). Default: nowhere.'),
  SHUTDOWN_GRACE: Joi.number()
    .min(0)
    .default(10)
    .description('Seconds that running requests and activities get to end at SIGTERM.'),
  TRUST_PROXY: Joi.boolean().default(false).description('Whether `X-Forwarded-*` headers count.'),
  NODE_ENV: Joi.string()
    .default('development')
    .description('`production` refuses settings that are only for tests, and makes no demo.'),
}).custom((values: Record<string, unknown>, helpers) =>
  values.CALLBACK_ALLOW_PRIVATE && values.NODE_ENV === 'production'
    ? helpers.message({ custom: '"CALLBACK_ALLOW_PRIVATE" must not be true where NODE_ENV is production' })
    : values,
);

export type Config = ReturnType<typeof readConfig>;

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
    throw new DomainError('CONFIGURATION', `Wrong settings: ${error.details.map((d) => d.message).join('; ')}`);
  return Object.freeze({
    port: value.PORT as number,
    publicUrl: value.PUBLIC_URL as string | undefined,
    dataDir: resolve(value.DATA_DIR as string),
    role: value.ROLE as 'all' | 'api' | 'worker',
    databaseUrl: value.DATABASE_URL as string | undefined,
    temporal: Object.freeze({
      address: value.TEMPORAL_ADDRESS as string | undefined,
      namespace: value.TEMPORAL_NAMESPACE as string,
      port: value.TEMPORAL_PORT as number,
      uiPort: value.TEMPORAL_UI_PORT as number,
      cliPath: value.TEMPORAL_CLI_PATH as string | undefined,
      /** The `TEMPORAL_*` variables as given, for `@temporalio/envconfig`. */
      environment: Object.fromEntries(Object.entries(given).filter(([name]) => name.startsWith('TEMPORAL_'))) as Record<
        string,
        string
      >,
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
    callbackAllowPrivate: value.CALLBACK_ALLOW_PRIVATE as boolean,
    agentModel: value.AGENT_MODEL as string | undefined,
    agentPageModel: value.AGENT_PAGE_MODEL as string | undefined,
    agentBaseUrl: value.AGENT_BASE_URL as string | undefined,
    logLevel: value.LOG_LEVEL as string,
    metricsAddress: value.METRICS_ADDRESS as string | undefined,
    shutdownGrace: value.SHUTDOWN_GRACE as number,
    trustProxy: value.TRUST_PROXY as boolean,
    production: value.NODE_ENV === 'production',
  });
}

/**
 * Refuses settings that can't work, or not together.
 * @throws DomainError CONFIGURATION
 */
export function checkTopology({ role, databaseUrl, publicUrl, temporal, ...config }: Config) {
  const missing = [
    databaseUrl === undefined && 'DATABASE_URL',
    temporal.address === undefined && 'TEMPORAL_ADDRESS',
    publicUrl === undefined && 'PUBLIC_URL',
  ].filter(Boolean);
  if (role !== 'all' && missing.length > 0) {
    throw new DomainError('CONFIGURATION', `ROLE=${role} works with other processes and needs ${missing.join(', ')}`);
  }
  refuseModels(config);
}

/** A model that is asked for and not used would be worse than none. */
function refuseModels({ agentModel, agentPageModel, agentBaseUrl }: Partial<Config>) {
  if ((agentModel ?? agentPageModel ?? agentBaseUrl) === undefined) return;
  throw new DomainError(
    'CONFIGURATION',
    'This version has no language models, only the embedded rules: ' +
      'leave AGENT_MODEL, AGENT_PAGE_MODEL and AGENT_BASE_URL unset',
  );
}
