import { limits } from '../contract/task.ts';
import type { ReadOutline } from '../contract/check.ts';
import type { Repositories } from '../sites/git/repository.ts';
import type { DryRunDeps } from './dryRun.ts';
import type { RulesChecks } from './port.ts';
import { createSiteEdits } from './siteEdits.ts';
import { createSiteReader } from './siteReading.ts';
import { pageAt } from './tools/arguments.ts';

interface Deps extends Pick<DryRunDeps, 'pages' | 'texts'> {
  rules: Pick<RulesChecks, 'listKeys'>;
  repositories: Repositories;
}

/** Reads the texts of a page of a site or of a task's result. */
export function createPageOutlines(deps: Deps): ReadOutline {
  const read = createSiteReader(deps.repositories);
  return (site, { slug, result, ...view }, asking) =>
    read({ site, result }, asking, async ({ base, tree, work }) => {
      const [pages, texts] = [deps.pages.for(work), deps.texts.for(work)];
      const edits = createSiteEdits({ tree, pages, texts, keepsHome: true });
      const page = pageAt(edits, slug.slice(0, limits.slugLength));
      const { slots } = await edits.template(page);
      return {
        commit: base.commit,
        slug: page.slug,
        keys: await deps.rules.listKeys(slots, work),
        ...(await texts.outlineTexts(slots, view)),
      };
    });
}
