import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import type { Site, SiteRepository } from '../contract/site.ts';
import { defined } from '../contract/defined.ts';
import { withoutEnd } from '../contract/text.ts';
import type { NewSite } from '../organizations/sites.ts';
import { checkBranch, checkRoot } from '../sites/git/refNames.ts';
import { DomainError } from '../errors.ts';
import { emailAddress } from '../accounts/emailAddress.ts';
import type { Command, GivenSite, NewCredential, OperatorDeps } from './command.ts';
import { name, organization } from './options.ts';
import {
  givenCredential,
  givenHost,
  type OwnHostOptions,
  ownHostOptions,
  withOwnHost,
} from './ownHostOptions.ts';

interface CreateOptions extends OwnHostOptions {
  organization: string;
  name: string;
  repository?: string;
  branch?: string;
  root?: string;
  authorName?: string;
  authorEmail?: string;
}

const create: Command<CreateOptions> = {
  name: 'site create',
  summary:
    'register a site; with a repository, read it and put it live; with a credential, check it and its host first',
  options: withOwnHost(
    Joi.object({
      organization: organization.required(),
      name: name.required().description("the site's name").example('name'),
      repository: Joi.string()
        .description('https or ssh URL of its git repository, or the path of a bare one here')
        .example('url'),
      branch: Joi.string().description('production branch (default: main)').example('branch'),
      root: Joi.string()
        .description('folder of the pages inside the repository (default: all of it)')
        .example('folder'),
      authorName: name
        .pattern(/[<>]/, { name: 'without < and >', invert: true })
        .description('author of its commits')
        .example('name'),
      authorEmail: emailAddress.description("the author's address").example('email'),
      ...ownHostOptions,
    })
      .with('branch', 'repository')
      .with('root', 'repository')
      .and('authorName', 'authorEmail'),
  ),
  run: register,
};

async function register(deps: OperatorDeps, options: CreateOptions): Promise<object> {
  const { organizationId } = await deps.organizations.get(options.organization);
  const credential = await givenCredential(options);
  const named = { name: options.name, ...defined({ author: authorOf(options) }) };
  if (credential) return addChecked(deps, organizationId, { ...named, credential }, options);
  if (options.forge !== undefined)
    throw new DomainError('INVALID_INPUT', '"forge" needs "tokenFile" or "appId"');
  const site = { ...named, siteId: randomUUID(), organizationId };
  const repository = repositoryOf(deps, options);
  if (repository) return registerWithRepository(deps, { ...site, repository });
  const { siteId } = await deps.sites.create({ ...site, repository });
  return { siteId, pages: 0 };
}

type WithRepository = NewSite & { siteId: string; repository: SiteRepository };

/** Checks the repository and the host as the API does. */
async function addChecked(
  deps: OperatorDeps,
  organizationId: string,
  { credential, ...named }: Pick<GivenSite, 'name' | 'author'> & { credential: NewCredential },
  options: CreateOptions,
): Promise<object> {
  const { repository: url, branch, root } = options;
  const host = await givenHost(options);
  const {
    site,
    warnings = [],
    webhookSecret,
  } = await deps.addSite(organizationId, {
    ...named,
    repository: { url: url!, ...defined({ branch: branch ?? 'main', root }), credential },
    ...(host && { host: { type: 'own', ...host } }),
  });
  const { siteId } = site;
  return {
    siteId,
    pages: await deps.countPages(site as WithRepository),
    ...(webhookSecret !== undefined && { webhookUrl: deps.webhookUrl(siteId), webhookSecret }),
    ...(warnings.length > 0 && { warnings: warnings.map(({ message }) => message) }),
  };
}

/**
 * Reads the repository before it registers the site, so that an unusable repository leaves nothing
 * in the database or on disk.
 */
async function registerWithRepository(deps: OperatorDeps, site: WithRepository): Promise<object> {
  const { siteId } = site;
  await deps.repositories.checkPushable(site.repository);
  try {
    const pages = await deps.countPages(site);
    await putLive(deps, await deps.sites.create(site));
    return { siteId, pages };
  } catch (error) {
    await deps.repositories.remove(siteId);
    throw error;
  }
}

function repositoryOf(
  deps: OperatorDeps,
  { repository, branch, root }: CreateOptions,
): SiteRepository | null {
  if (repository === undefined) return null;
  return {
    url: deps.checkRepositoryUrl(repository),
    branch: checkBranch(branch ?? 'main'),
    root: checkRoot(withoutEnd((root ?? '').replace(/^(\.?\/+|\.$)/, ''), '/')),
  };
}

function authorOf({ authorName, authorEmail }: CreateOptions): Site['author'] | undefined {
  return authorName && authorEmail ? { name: authorName, email: authorEmail } : undefined;
}

async function putLive(deps: OperatorDeps, site: Site): Promise<void> {
  try {
    await deps.ensureLive(site);
  } catch (error) {
    await deps.sites.undo(site.siteId);
    throw error;
  }
}

const list: Command<{ organization?: string }> = {
  name: 'site list',
  summary: 'list sites',
  options: Joi.object({ organization }),
  run: async ({ sites }, options) => ({ sites: await sites.list(options.organization) }),
};

const deploy: Command<{ site: string }> = {
  name: 'site deploy',
  summary: 'put the head of the production branch live, even after it was rewritten',
  options: Joi.object({
    site: Joi.string().uuid().required().description("the site's id").example('id'),
  }),
  run: async (deps, { site }) => ({
    siteId: site,
    commit: await deps.deployHead(await deps.sites.get(site)),
  }),
};

const release: Command<{ label: string }> = {
  name: 'site release',
  summary:
    "free the host name of a removed site, which is kept for visitors' sake, for every organization",
  options: Joi.object({
    label: Joi.string()
      .max(63)
      .required()
      .description('first part of its host name')
      .example('name'),
  }),
  run: async ({ sites }, { label }) => {
    await sites.releaseLabel(label);
    return { label, released: true };
  },
};

export const siteCommands = [create, list, deploy, release];
