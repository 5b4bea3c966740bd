import { limits } from '../contract/task.ts';
import type { OutlineReader } from '../contract/check.ts';
import type { GitRepositories } from '../sites/git/repository.ts';
import type { DryRunDependencies } from './dryRun.ts';
import type { RulesChecks } from './port.ts';
import { createSiteEdits } from './siteEdits.ts';
import { createSiteReader } from './siteReading.ts';
import { requirePage } from './tools/arguments.ts';

interface PageOutlineDependencies extends Pick<DryRunDependencies, 'pages' | 'texts'> {
  rules: Pick<RulesChecks, 'listKeys'>;
  repositories: GitRepositories;
}

/** Reads the texts of a page of a site or of a task's result. */
export function createPageOutlineReader(dependencies: PageOutlineDependencies): OutlineReader {
  const readSite = createSiteReader(dependencies.repositories);
  return (site, { slug, result, ...view }, requestWork) =>
    readSite({ site, result }, requestWork, async ({ base, tree, work }) => {
      const [pages, texts] = [dependencies.pages.for(work), dependencies.texts.for(work)];
      const edits = createSiteEdits({ tree, pages, texts, keepsHome: true });
      const page = requirePage(edits, slug.slice(0, limits.slugLength));
      const { slots } = await edits.template(page);
      return {
        commit: base.commit,
        slug: page.slug,
        keys: await dependencies.rules.listKeys(slots, work),
        ...(await texts.outlineTexts(slots, view)),
      };
    });
}
