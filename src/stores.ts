import { createAccounts } from './accounts/accounts.ts';
import { DOCUMENT_BYTES, DOCUMENT_MS } from './accounts/assistants/clientDocuments.ts';
import { createEventMails } from './accounts/eventMails.ts';
import { createMail, type Mail } from './accounts/mail.ts';
import { createUsageNotices } from './accounts/usageNotices.ts';
import { dataCommands, type CommandRunner, createCommandRunner } from './cli/commands.ts';
import type { ServiceConfig } from './config.ts';
import type { RepositoryCredential, Site } from './contract/site.ts';
import { noTraces, type Traces } from './contract/traces.ts';
import { DomainError } from './errors.ts';
import type { SendHttp } from './forges/forgeProject.ts';
import { createForgeRegistry, type ForgeRegistry } from './forges/forges.ts';
import { createSiteHosting } from './hosting/hosting.ts';
import { createSiteHosts } from './hosting/hosts.ts';
import type { ServiceLogger } from './log.ts';
import { countGitCommands, traceGitCommands, traceRequests } from './metrics/countCalls.ts';
import { createAudit } from './organizations/audit.ts';
import { createGuardedSender } from './callbacks/guardedSend.ts';
import { repositoryAddresses } from './callbacks/repositoryHosts.ts';
import { type Credentials, createCredentials } from './organizations/credentials.ts';
import { createDeliveryLog } from './organizations/deliveryLog.ts';
import { createEventDeliveries } from './organizations/eventDeliveries.ts';
import { createWebhookEndpoints } from './organizations/webhookEndpoints.ts';
import { createSecretBox, type SecretBox } from './organizations/secretBox.ts';
import { ownSecretsKeys, readSecretsKeys } from './storage/secretsKeys.ts';
import { createBuilds } from './storage/builds.ts';
import { createKeys } from './organizations/apiKeys.ts';
import { createCreatorNames } from './organizations/creatorNames.ts';
import { createModelUsage } from './organizations/modelUsage.ts';
import { createOrganizations } from './organizations/organizations.ts';
import { createTokenLimits } from './organizations/tokenLimits.ts';
import { createShares } from './organizations/shareLinks.ts';
import { createSiteList } from './organizations/siteList.ts';
import { createSites } from './organizations/sites.ts';
import { createTeamKeys } from './organizations/teamKeys.ts';
import { countPages } from './sites/pages/listing/countPages.ts';
import { createRepositories } from './sites/git/repositories.ts';
import { type CommandLauncher, createLauncher } from './sites/git/launcher/launcher.ts';
import { checkGit } from './sites/git/command/checkGit.ts';
import { createPagesPool } from './sites/pages/pages.ts';
import type { PagesPool } from './sites/pages/pages.ts';
import type { GitRepositories } from './sites/git/repository.ts';
import { cloneName } from './sites/git/clones/cloneName.ts';
import { hasRepository } from './sites/git/registeredSite.ts';
import { checkRepositoryUrl } from './sites/git/remote/repositoryUrl.ts';
import { type Database, openDatabase } from './storage/database.ts';
import { createDeployments } from './storage/deployments.ts';
import { halfOfDisk } from './storage/diskSpace.ts';
import { createGuestComments } from './storage/guestComments.ts';
import { createApprovals } from './storage/approvals.ts';
import { createNoteStates } from './storage/noteStates.ts';
import { createPageMarks } from './storage/pageMarks.ts';
import { createPublishWindows } from './storage/publishWindows.ts';
import { createRetention } from './storage/retention.ts';
import { createSecrets } from './storage/secrets.ts';
import { createBatches } from './storage/batches/batches.ts';
import { createTaskLeases } from './storage/taskLeases.ts';
import { createThreadPool } from './threads/threadPool.ts';

/** Maximum bytes of the clones of one organization's repositories in the data folder. */
const ORGANIZATION_BYTES = 10 * 1024 ** 3;
/** Maximum number of sites of one organization. Sites removed in the last 400 days count too. */
const SITES_OF_ORGANIZATION = 1_000;
/** Milliseconds to wait for the token of a GitHub App. */
const TOKEN_MS = 30_000;

interface StoresOptions {
  logger: ServiceLogger;
  /** The base address that clients use. It is known only after the service listens. */
  publicUrl: () => URL;
  /** Whether to create missing data. Default: true. */
  mayMake?: boolean;
  /** Called with the name of each git command that starts. */
  onGit?: (command: string) => void;
  /** Default: no traces. */
  traces?: Traces;
}

/**
 * Opens the stores, which keep data in the database or on the disk, and the other parts that need
 * no Temporal: git, threads, mail, forges and hosts. The service and the operator's commands share
 * them.
 * @throws DomainError CONFIGURATION; CONFLICT if another process holds the data folder
 */
export async function openStores(
  config: ServiceConfig,
  { logger, publicUrl, mayMake, onGit = () => undefined, traces = noTraces }: StoresOptions,
) {
  const resources = new AsyncDisposableStack();
  try {
    const baseLauncher = resources.adopt(createLauncher(), (created) => created.close());
    const launcher = observeGit(baseLauncher, { onGit, traces });
    await checkGit(launcher);
    const database = resources.adopt(
      await openDatabase({ ...config, mayMake, log: logger }),
      (opened) => opened.close(),
    );
    const sites = createSites(database.db);
    const sitesOf = (organizationId: string) => sites.idsOf(organizationId);
    const registered = async () => (await sites.list()).filter(hasRepository).map(cloneName);
    const maxClonesBytes = () => halfOfDisk(config.dataDir);
    const secretBox = createSecretBox(readConfiguredKeys(config));
    const credentials = createCredentials(database.db, secretBox);
    const sender = resources.adopt(
      createGuardedSender(createCallbackPolicy(config, publicUrl)),
      (created) => created.close(),
    );
    const { send } = sender;
    const documents = resources.adopt(
      createGuardedSender({
        ...createCallbackPolicy(config, publicUrl),
        bytes: DOCUMENT_BYTES + 1,
        deadlineMs: DOCUMENT_MS,
      }),
      (created) => created.close(),
    );
    const forges = createForgeRegistry({ send: traceRequests('forge request', send, traces) });
    const gitCredentialFor = (credential: RepositoryCredential, url: string) =>
      forges.gitCredentialAt(url, credential, AbortSignal.timeout(TOKEN_MS));
    const openCredential = async (credentialId: string, url: string) =>
      gitCredentialFor(await credentials.open(credentialId), url);
    const allowedAddresses = (host: string) =>
      repositoryAddresses(host, createCallbackPolicy(config, publicUrl));
    const threads = resources.adopt(createThreadPool(), (created) => created.close());
    const pages = createPagesPool(threads);
    const options = {
      ...config,
      launcher,
      dataFiles: pages,
      organizationBytes: ORGANIZATION_BYTES,
      sitesOf,
      registered,
      maxClonesBytes,
      openCredential,
      allowed: allowedAddresses,
      onProblem: sites.setProblem,
    };
    const repositories = resources.adopt(createRepositories(options), (opened) => opened.close());
    const { smtpUrl, mailFrom: mailSender } = config.accounts;
    const mail = resources.adopt(createMail({ smtpUrl, from: mailSender, log: logger }), (opened) =>
      opened.close(),
    );
    const stores = createStoresOver(database, {
      repositories,
      pages,
      credentials,
      secretBox,
      batches: createBatches(database.db, config),
      forges,
      send: traceRequests('host check', send, traces),
      fetchDocument: documents.send,
      mail,
      logger,
      config,
      publicUrl,
    });
    return {
      ...stores,
      forGit: gitCredentialFor,
      forges,
      send,
      launcher,
      threads,
      runCommand: createCommandsOver(stores),
      close: () => resources.disposeAsync(),
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

interface ExternalHostParts extends Pick<
  StoreParts,
  'repositories' | 'pages' | 'send' | 'publicUrl'
> {
  credentials: Credentials;
  forges: ForgeRegistry;
}

/** The dependencies of external hosts. */
const externalHostOptions = ({ credentials, forges, publicUrl, ...parts }: ExternalHostParts) => ({
  ...parts,
  async openForge({ siteId, ownHost, repository }: Site) {
    const { credentialId } = repository?.credential ?? {};
    if (!ownHost || credentialId === undefined)
      throw new DomainError(
        'CONFIGURATION',
        `The site ${siteId} has no forge, or no credential for it`,
      );
    return forges.open(ownHost, await credentials.open(credentialId));
  },
  secretOf: (credentialId: string) => credentials.openSecret(credentialId),
  taskAddress: (taskId: string) => new URL(`/tasks/${taskId}`, publicUrl()).href,
});

/**
 * The configured keys for secrets. Without a setting, an embedded database uses a key in its data
 * folder.
 */
const readConfiguredKeys = ({ secretsKeys, databaseUrl, dataDir }: ServiceConfig) => {
  if (secretsKeys !== undefined) return readSecretsKeys(secretsKeys);
  return databaseUrl === undefined ? ownSecretsKeys(dataDir) : [];
};

/**
 * The policy for URLs that customers name: of callbacks, of repositories that are added over HTTP,
 * of forges, and of external hosts. Unless CALLBACK_ALLOW_PRIVATE is set, it refuses private
 * addresses and the service's own host names.
 */
export const createCallbackPolicy = (config: ServiceConfig, publicUrl: () => URL) => ({
  allowPrivate: config.callbackAllowPrivate,
  get ownHosts() {
    return [publicUrl().hostname, `.${config.sitesDomain}`, `.${config.previewDomain}`];
  },
});

interface StoreParts {
  repositories: GitRepositories;
  pages: PagesPool;
  credentials: Credentials;
  secretBox: SecretBox;
  batches: ReturnType<typeof createBatches>;
  forges: ForgeRegistry;
  send: SendHttp;
  fetchDocument: SendHttp;
  mail: Mail;
  logger: ServiceLogger;
  config: ServiceConfig;
  publicUrl: () => URL;
}

function createStoresOver(database: Database, parts: StoreParts) {
  const { repositories, pages, credentials, batches, mail, logger, config, publicUrl } = parts;
  const { db, changes } = database;
  const deployments = createDeployments(db, { ...config, changes });
  const secrets = createSecrets(db);
  const readAccountsSecret = () => secrets.secret('accounts');
  const keys = createKeys(db, { changes });
  const builds = createBuilds(db, { changes });
  const hosts = createSiteHosts({
    ...config,
    publicUrl,
    own: { ...externalHostOptions(parts), builds },
  });
  const modelUsage = createModelUsage(db);
  const tokenLimits = createTokenLimits(db, { usage: modelUsage, ...config.agent });
  const eventLog = createDeliveryLog(db, parts.secretBox, { changes });
  return {
    database,
    eventLog,
    eventDeliveries: createEventDeliveries(db),
    eventMails: createEventMails({ db, mail, publicUrl }),
    webhookEndpoints: createWebhookEndpoints(db, parts.secretBox, {
      onChange: (id) => eventLog.forget(id),
    }),
    mailIsOn: mail.isOn,
    accounts: createAccounts({
      db,
      secret: readAccountsSecret,
      publicUrl,
      mail,
      fetchDocument: parts.fetchDocument,
      log: logger,
      ...config.accounts,
      onKeysEnded: () => keys.forget(),
    }),
    audit: createAudit(db),
    organizations: createOrganizations(db, config.agent),
    builds,
    modelUsage,
    tokenLimits,
    usageNotices: createUsageNotices({ db, mail, limits: tokenLimits, publicUrl }),
    keys,
    shares: createShares(db, config),
    teamKeys: createTeamKeys(db, { onChange: () => keys.forget() }),
    creators: createCreatorNames(db, { changes }),
    sites: createSites(db, { most: SITES_OF_ORGANIZATION, changes }),
    siteList: createSiteList(db),
    deployments,
    noteStates: createNoteStates(db, { changes }),
    pageMarks: createPageMarks(db),
    approvals: createApprovals(db),
    guestComments: createGuestComments(db, { changes }),
    retention: createRetention(db, config),
    publishWindows: createPublishWindows(db),
    secrets,
    leases: createTaskLeases(db, config.tasksInFlight),
    batches,
    repositories,
    pages,
    credentials,
    hosts,
    hosting: createSiteHosting({ hosts, repositories, deployments }),
  };
}

type OpenedStores = ReturnType<typeof createStoresOver>;
export type ServiceStores = Awaited<ReturnType<typeof openStores>>;

function observeGit(
  launcher: CommandLauncher,
  { onGit, traces }: Required<Pick<StoresOptions, 'onGit' | 'traces'>>,
): CommandLauncher {
  const run: CommandLauncher['run'] = (command, signal) => launcher.run(command, signal);
  return { ...launcher, run: countGitCommands(traceGitCommands(run, traces), onGit) };
}

function createCommandsOver({
  accounts,
  organizations,
  keys,
  sites,
  hosting,
  repositories,
  pages,
  credentials,
  webhookEndpoints,
}: OpenedStores): CommandRunner {
  return createCommandRunner(dataCommands, {
    organizations,
    keys,
    sites,
    repositories,
    createSignInLink: (email, membership) => accounts.createSignInLink(email, membership),
    secretStores: [credentials, webhookEndpoints],
    checkRepositoryUrl: (url) => checkRepositoryUrl(url, { allowLocal: true }),
    countPages: (site) => countPages(repositories, pages, site),
    ensureLive: (site) => hosting.ensureLive(site),
    deployHead: (site) => hosting.deployHead(site),
  });
}
