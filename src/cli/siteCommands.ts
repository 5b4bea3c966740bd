import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import type { Site, SiteRepository } from '../contract/site.ts';
import { defined } from '../contract/defined.ts';
import { withoutEnd } from '../contract/text.ts';
import type { NewSite } from '../organizations/sites.ts';
import { checkBranch, checkRoot } from '../sites/git/refNames.ts';
import { emailAddress } from '../accounts/emailAddress.ts';
import type { Command, OperatorDeps } from './command.ts';
import { name, organization } from './options.ts';

interface CreateOptions {
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
  summary: 'register a site; with a repository, read it and put it live',
  options: Joi.object({
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
  })
    .with('branch', 'repository')
    .with('root', 'repository')
    .and('authorName', 'authorEmail'),
  run: register,
};

async function register(deps: OperatorDeps, options: CreateOptions): Promise<object> {
  const { organizationId } = await deps.organizations.get(options.organization);
  const named = { name: options.name, ...defined({ author: authorOf(options) }) };
  const site = { ...named, siteId: randomUUID(), organizationId };
  const repository = repositoryOf(deps, options);
  if (repository) return registerWithRepository(deps, { ...site, repository });
  const { siteId } = await deps.sites.create({ ...site, repository });
  return { siteId, pages: 0 };
}

type WithRepository = NewSite & { siteId: string; repository: SiteRepository };

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
