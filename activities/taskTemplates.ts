import { LRUCache } from 'lru-cache';
import { type TemplatePage, createTemplatePage } from '../src/agents/shared/agentTypes.ts';
import type { TemplateContent } from '../src/sites/formats/format.ts';
import type { Tree } from '../src/sites/git/repository.ts';
import type { PagesPool } from '../src/sites/pages/pages.ts';
import { readSiteTemplate } from '../src/sites/pages/templates.ts';
import type { OpenedSite } from './openSite.ts';

/** A template that was read. */
interface TaskTemplate extends Pick<TemplateContent, 'digest' | 'slug' | 'slots'> {
  /** All pages of a template share this object, so that a thread receives it only once. */
  content: TemplatePage;
}

/** Where a template is: a page's file in a commit of a site. */
interface TemplateLocation extends Pick<OpenedSite, 'site'> {
  tree: Tree;
  path: string;
}

/** Reads a task's template once for all its activities: for `readSite`, and for each page. */
export type TaskTemplates = (location: TemplateLocation) => Promise<TaskTemplate>;

/** Templates to keep in memory. */
const TEMPLATES = 20;

/**
 * Creates the cache of templates: the pages from which tasks make new ones, read as lists of texts.
 * If a read fails, the next caller repeats it.
 */
export function createTaskTemplates({ pages }: { pages: Pick<PagesPool, 'for'> }): TaskTemplates {
  const templates = new LRUCache<string, TaskTemplate, TemplateLocation>({
    max: TEMPLATES,
    fetchMethod: async (_key, _old, { context: { site, tree, path } }) => {
      const { organizationId } = site;
      const { digest, ...templateContent } = await readSiteTemplate(
        tree,
        pages.for({ organizationId }),
        path,
      );
      return {
        digest,
        slug: templateContent.slug,
        slots: templateContent.slots,
        content: createTemplatePage(templateContent),
      };
    },
  });
  return (location) => {
    const { site, tree, path } = location;
    const templateKey = [site.siteId, site.repository.root, tree.commit, path].join('\n');
    return templates.forceFetch(templateKey, { context: location });
  };
}
