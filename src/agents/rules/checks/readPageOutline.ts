import { limits } from '../../../contract/task.ts';
import type { OutlineReader } from '../../../contract/checks.ts';
import type { GitRepositories } from '../../../sites/git/repository.ts';
import type { DryRunDependencies } from './dryRunPrompt.ts';
import type { RulesChecks } from '../../agentPorts.ts';
import { createSiteEdits } from '../../shared/site/siteEdits.ts';
import { createSiteReader } from './siteReader.ts';
import { requirePage } from '../../shared/tools/toolArguments.ts';

interface PageOutlineDependencies extends Pick<DryRunDependencies, 'pages' | 'texts'> {
  rules: Pick<RulesChecks, 'listKeys'>;
  repositories: GitRepositories;
}

/** Makes the function that lists a page's texts, and the keys of a context for a page like it. */
export function createPageOutlineReader(dependencies: PageOutlineDependencies): OutlineReader {
  const readSite = createSiteReader(dependencies.repositories);
  return (site, { slug, result, ...view }, jobOwner) =>
    readSite({ site, result }, jobOwner, async ({ base, tree, work }) => {
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
