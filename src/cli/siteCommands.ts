import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import type { Site, SiteRepository } from '../contract/site.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { trimEndCharacters } from '../contract/text/summaries.ts';
import type { NewSite } from '../organizations/sites.ts';
import { checkBranch, checkRoot } from '../sites/git/refNames.ts';
import { emailAddress } from '../accounts/emailAddress.ts';
import type { OperatorCommand, OperatorDeps } from './operatorCommand.ts';
import { nameOption, organizationOption } from './commandOptions.ts';

interface CreateSiteOptions {
  organization: string;
  name: string;
  repository?: string;
  branch?: string;
  root?: string;
  authorName?: string;
  authorEmail?: string;
}

const createSiteCommand: OperatorCommand<CreateSiteOptions> = {
  name: 'site create',
  summary: 'register a site; with a repository, read it and put it live',
  options: Joi.object({
    organization: organizationOption.required(),
    name: nameOption.required().description("the site's name").example('name'),
    repository: Joi.string()
      .description('https or ssh URL of its git repository, or the path of a bare one here')
      .example('url'),
    branch: Joi.string().description('production branch (default: main)').example('branch'),
    root: Joi.string()
      .description('folder of the pages inside the repository (default: all of it)')
      .example('folder'),
    authorName: nameOption
      .pattern(/[<>]/, { name: 'without < and >', invert: true })
      .description('author of its commits')
      .example('name'),
    authorEmail: emailAddress.description("the author's address").example('email'),
  })
    .with('branch', 'repository')
    .with('root', 'repository')
    .and('authorName', 'authorEmail'),
  run: registerSite,
};

async function registerSite(deps: OperatorDeps, options: CreateSiteOptions): Promise<object> {
  const { organizationId } = await deps.organizations.get(options.organization);
  const namedFields = { name: options.name, ...withoutUndefined({ author: siteAuthor(options) }) };
  const newSite = { ...namedFields, siteId: randomUUID(), organizationId };
  const repository = siteRepository(deps, options);
  if (repository) return registerWithRepository(deps, { ...newSite, repository });
  const { siteId } = await deps.sites.create({ ...newSite, repository });
  return { siteId, pages: 0 };
}

type NewSiteWithRepository = NewSite & { siteId: string; repository: SiteRepository };

/**
 * Reads the repository before it registers the site, so that an unusable repository leaves nothing
 * in the database or on disk.
 */
async function registerWithRepository(
  deps: OperatorDeps,
  site: NewSiteWithRepository,
): Promise<object> {
  const { siteId } = site;
  await deps.repositories.checkPushable(site.repository);
  try {
    const { pages, warnings } = await deps.countPages(site);
    await putLive(deps, await deps.sites.create(site));
    return { siteId, pages, ...(warnings.length > 0 && { warnings }) };
  } catch (error) {
    await deps.repositories.remove(siteId);
    throw error;
  }
}

function siteRepository(
  deps: OperatorDeps,
  { repository, branch, root }: CreateSiteOptions,
): SiteRepository | null {
  if (repository === undefined) return null;
  return {
    url: deps.checkRepositoryUrl(repository),
    branch: checkBranch(branch ?? 'main'),
    root: checkRoot(trimEndCharacters((root ?? '').replace(/^(\.?\/+|\.$)/, ''), '/')),
  };
}

function siteAuthor({ authorName, authorEmail }: CreateSiteOptions): Site['author'] | undefined {
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

const listSitesCommand: OperatorCommand<{ organization?: string }> = {
  name: 'site list',
  summary: 'list sites',
  options: Joi.object({ organization: organizationOption }),
  run: async ({ sites }, options) => ({ sites: await sites.list(options.organization) }),
};

const deploySiteCommand: OperatorCommand<{ site: string }> = {
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

const releaseLabelCommand: OperatorCommand<{ label: string }> = {
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

export const siteCommands = [
  createSiteCommand,
  listSitesCommand,
  deploySiteCommand,
  releaseLabelCommand,
];
