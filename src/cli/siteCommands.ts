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
  summary: 'add a site, and make it live if it has a repository',
  options: Joi.object({
    organization: organizationOption.required(),
    name: nameOption.required().description('the name of the site').example('name'),
    repository: Joi.string()
      .description(
        'the https or ssh URL of the git repository, or the path of a local bare repository',
      )
      .example('url'),
    branch: Joi.string().description('the production branch (default: main)').example('branch'),
    root: Joi.string()
      .description('the folder that contains the pages (default: the whole repository)')
      .example('folder'),
    authorName: nameOption
      .pattern(/[<>]/, { name: 'without < and >', invert: true })
      .description('the author name of the commits')
      .example('name'),
    authorEmail: emailAddress
      .description('the author e-mail address of the commits')
      .example('email'),
  })
    .with('branch', 'repository')
    .with('root', 'repository')
    .and('authorName', 'authorEmail'),
  run: registerSite,
};

/** Adds a site, with or without a repository. @returns its siteId and the number of its pages */
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

/** Makes a new site live. If that fails, removes the site again. */
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
  summary: 'list the sites',
  options: Joi.object({ organization: organizationOption }),
  run: async ({ sites }, options) => ({ sites: await sites.list(options.organization) }),
};

const deploySiteCommand: OperatorCommand<{ site: string }> = {
  name: 'site deploy',
  summary: 'make the head of the production branch live, even if the branch was rewritten',
  options: Joi.object({
    site: Joi.string().uuid().required().description('the id of the site').example('id'),
  }),
  run: async (deps, { site }) => ({
    siteId: site,
    commit: await deps.deployHead(await deps.sites.get(site)),
  }),
};

const releaseLabelCommand: OperatorCommand<{ label: string }> = {
  name: 'site release',
  summary: 'release the host name of a removed site, so that any organization can use it',
  options: Joi.object({
    label: Joi.string()
      .max(63)
      .required()
      .description('the first label of the host name')
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
