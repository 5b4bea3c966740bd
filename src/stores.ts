import { operatorCommands, type RunCommand } from './cli/commands.ts';
import type { Config } from './config.ts';
import { DomainError } from './errors.ts';
import { createEmbeddedHosting } from './hosting/embedded/embeddedHosting.ts';
import type { Logger } from './log.ts';
import { createKeys } from './organizations/keys.ts';
import { createOrganizations } from './organizations/organizations.ts';
import { createSites } from './organizations/sites.ts';
import { countPages } from './sites/pages/countPages.ts';
import { createRepositories } from './sites/git/repositories.ts';
import { checkGit } from './sites/git/version.ts';
import { createPagesPool } from './sites/pages/pagesPool.ts';
import type { Pages } from './sites/pages/pages.ts';
import type { Repositories } from './sites/git/repository.ts';
import { checkRepositoryUrl } from './sites/git/repositoryUrl.ts';
import { type Database, openDatabase } from './storage/database.ts';
import { createDeployments } from './storage/deployments.ts';
import { createSecrets } from './storage/secrets.ts';
import { connectClient } from './temporal/connection.ts';
import { RETENTION_DAYS, setupNamespace } from './temporal/searchAttributes.ts';

interface Options {
  logger: Logger;
  /** The address that clients use, known once the service listens. */
  publicUrl: () => URL;
}

/**
 * Everything that is kept, and what works on it without Temporal: what the service and the operator commands share.
 * @throws DomainError CONFIGURATION, CONFLICT where another process holds the data folder
 */
export async function openStores(config: Config, { logger, publicUrl }: Options) {
  await checkGit();
  const resources = new AsyncDisposableStack();
  try {
    const database = resources.adopt(await openDatabase({ ...config, log: logger }), (opened) => opened.close());
    const repositories = resources.adopt(createRepositories({ dataDir: config.dataDir }), (opened) => opened.close());
    const pages = resources.adopt(createPagesPool(), (pool) => pool.close());
    const stores = storesOver(database, { repositories, pages, config, publicUrl });
    return { ...stores, runCommand: commandsOver(config, stores), close: () => resources.disposeAsync() };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

interface Parts {
  repositories: Repositories;
  pages: Pages;
  config: Config;
  publicUrl: () => URL;
}

function storesOver(database: Database, { repositories, pages, config, publicUrl }: Parts) {
  const { db } = database;
  const deployments = createDeployments(db);
  return {
    database,
    organizations: createOrganizations(db),
    keys: createKeys(db),
    sites: createSites(db),
    deployments,
    secrets: createSecrets(db),
    repositories,
    pages,
    hosting: createEmbeddedHosting({ repositories, deployments, ...config, publicUrl }),
  };
}

type Opened = ReturnType<typeof storesOver>;
export type Stores = Awaited<ReturnType<typeof openStores>>;

function commandsOver(
  config: Config,
  { organizations, keys, sites, hosting, repositories, pages }: Opened,
): RunCommand {
  return operatorCommands({
    organizations,
    keys,
    sites,
    repositories,
    checkRepositoryUrl: (url) => checkRepositoryUrl(url, { allowLocal: true }),
    countPages: (site) => countPages(repositories, pages, site),
    ensureLive: (site) => hosting.ensureLive(site),
    deployHead: (site) => hosting.deployHead(site),
    setUpTemporal: () => setUpTemporal(config),
  });
}

async function setUpTemporal({ temporal }: Config) {
  if (temporal.address === undefined) {
    throw new DomainError(
      'CONFIGURATION',
      'The embedded Temporal server sets itself up: this command is for the one at TEMPORAL_ADDRESS',
    );
  }
  const connection = connectClient(temporal);
  try {
    await setupNamespace(connection, { namespace: temporal.namespace, retentionDays: RETENTION_DAYS });
    return { namespace: temporal.namespace };
  } finally {
    await connection.close();
  }
}
