import type { CheckProblem, CheckedItem, CheckTask, TaskChecked } from '../contract/check.ts';
import { type GeneratePagesWork, type PageItem, valuesOf } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { Repositories } from '../sites/git/repository.ts';
import { checkSitemap } from '../sites/pages/deriveSitemap.ts';
import { fileNames } from '../sites/pages/fileNames.ts';
import { readLinkPage } from '../sites/pages/linkPage.ts';
import { readPageSource } from '../sites/pages/pageSource.ts';
import type { Pages } from '../sites/pages/pages.ts';
import { findTemplate, readTemplate } from '../sites/pages/template.ts';
import type { Work } from '../threads/threads.ts';
import { type TemplatePage, templatePageOf } from './agent.ts';
import { checkPrompt, type DryRunDeps } from './dryRun.ts';
import type { Rules, RulesChecks } from './port.ts';
import { createSiteReader, problemsOf, type Reading, trying } from './siteReading.ts';

interface Deps extends DryRunDeps {
  repositories: Repositories;
  rules: Pick<Rules & RulesChecks, 'carryOut' | 'checkPage'>;
}

/** Most unused values of a context that are listed. */
const MOST_UNUSED = 100;

/**
 * Predicts the result of a task before it is created, by the embedded rules. Starts and writes
 * nothing.
 * @throws DomainError UNAVAILABLE, CONFLICT if the repository can't be read
 */
export function createTaskChecks(deps: Deps): CheckTask {
  const read = createSiteReader(deps.repositories);
  return ({ site, onto, work, isModel }, asking) =>
    read({ site, onto }, asking, (reading) => {
      if (work.type === 'generate_pages') return checkPages(deps, work, reading);
      return work.type === 'prompt' && !isModel
        ? checkPrompt(deps, work.prompt, reading)
        : Promise.resolve({ problems: [], items: [] });
    });
}

async function checkPages(
  deps: Deps,
  asked: GeneratePagesWork,
  reading: Reading,
): Promise<TaskChecked> {
  const { templatePageSlug, items, linkFrom } = asked;
  const { tree, work } = reading;
  const pages = deps.pages.for(work);
  const untouched = (item: PageItem, problems: CheckProblem[]): CheckedItem => ({
    targetPageSlug: item.targetPageSlug,
    problems,
    unused: [],
    stays: [],
    remarks: [],
    notes: [],
  });
  const found = await trying(async () => {
    checkSitemap(tree);
    const path = findTemplate(tree, pages, templatePageSlug);
    const content = await readTemplate(tree, pages, path);
    return { path, content, identity: await pages.identity(await readPageSource(tree, path)) };
  });
  if ('problem' in found)
    return { problems: [found.problem], items: items.map((item) => untouched(item, [])) };
  const { path, content, identity } = found.value;
  const template = { slug: content.slug, path, slots: content.slots };
  const problems = await problemsOf(
    async () => linkFrom && readLinkPage(tree, pages, { linkFrom, template }),
  );
  const names = fileNames(tree.entries.values());
  const checkItem = async (item: PageItem): Promise<CheckedItem> => {
    const taken = await problemsOf(() => planTarget(item, { pages, names, path }, reading));
    const written = await trying(() => writeItem(deps, templatePageOf(content), item, work));
    if ('problem' in written) return untouched(item, [...taken, written.problem]);
    return { targetPageSlug: item.targetPageSlug, problems: taken, ...written.value };
  };
  const checked = await Promise.all(items.map(checkItem));
  const slugs = items.map(({ targetPageSlug }) => targetPageSlug);
  const together = checked.some((item) => item.problems.length > 0)
    ? []
    : await problemsOf(() => pages.planTargets(names, { templatePath: path, slugs }));
  return { problems: [...problems, ...together], items: checked, template: identity };
}

async function writeItem({ rules }: Deps, template: TemplatePage, item: PageItem, work: Work) {
  const { page, stays, remarks } = await rules.checkPage({ template, item }, work);
  const junk = new Set(remarks.map(({ value }) => value));
  const unused = page.notes
    .filter(({ kind }) => kind === 'unused')
    .flatMap((note) => (valuesOf(note).length > 0 ? valuesOf(note) : [note.text]))
    .filter((value) => !junk.has(value));
  return { stays, remarks, unused: unused.slice(0, MOST_UNUSED), notes: page.notes };
}

interface Files {
  pages: Pages;
  names: string;
  /** Path of the template. */
  path: string;
}

/** Plans the file of a requested page. Throws PAGE_EXISTS. */
async function planTarget(
  { targetPageSlug: slug }: PageItem,
  { pages, names, path }: Files,
  reading: Reading,
) {
  const targets = await pages.planTargets(names, { templatePath: path, slugs: [slug] });
  for (const target of targets)
    if (
      target.existing &&
      !(await reading.repository.isMadeByTask(reading.base, target.path, reading.work.signal))
    )
      throw new DomainError('PAGE_EXISTS', `Page already exists: ${slug}`);
}
