import type { CheckProblem, ItemCheck, TaskChecker, TaskCheck } from '../../../contract/checks.ts';
import { type GeneratePagesWork, type PageItem, noteValues } from '../../../contract/task.ts';
import type { GitRepositories } from '../../../sites/git/repository.ts';
import { checkSitemap } from '../../../sites/pages/sitemap/deriveSitemap.ts';
import { packFileNames } from '../../../sites/pages/listing/fileNames.ts';
import { readLinkPage } from '../../../sites/pages/links/linkPage.ts';
import { readPageSource } from '../../../sites/pages/pageSource.ts';
import type { PageMethods } from '../../../sites/pages/pages.ts';
import { findTemplate, readSiteTemplate } from '../../../sites/pages/templates.ts';
import type { JobOwner } from '../../../threads/threadPool.ts';
import { type TemplatePage, createTemplatePage } from '../../shared/agentTypes.ts';
import { checkPrompt, type DryRunDependencies } from './dryRunPrompt.ts';
import type { RulesAgent, RulesChecks } from '../../agentPorts.ts';
import { createSiteReader, findWorkProblems, type CheckedSite, tryWork } from './siteReader.ts';
import { pageExistsError } from '../../../sites/pages/listing/pageExists.ts';

interface TaskCheckDependencies extends DryRunDependencies {
  repositories: GitRepositories;
  rules: Pick<RulesAgent & RulesChecks, 'carryOut' | 'checkPage'>;
}

/** Most unused values of a context that the check lists. */
const MAX_UNUSED_VALUES = 100;

/**
 * Makes the function that checks a task before it is created: it lets the rules do the work on the
 * site as it is now, and reports problems and what the result would be. It starts no task, changes
 * nothing, and does not try prompts for a language model. For a missing template, it returns
 * `{ problems: [{ code: 'TEMPLATE_NOT_FOUND', … }], items: [{ targetPageSlug: '/rome', … }] }`.
 * It throws UNAVAILABLE or CONFLICT if the repository can't be read, and UNAVAILABLE if the check
 * takes too long.
 *
 * This folder has the checks that requests wait for: of a task (this file; dryRunPrompt.ts for a
 * prompt), of a batch (checkBatch.ts), and of the texts of a page (readPageOutline.ts). They open
 * the site by siteReader.ts, which limits how many run at once, and for how long.
 */
export function createTaskCheck(dependencies: TaskCheckDependencies): TaskChecker {
  const readSite = createSiteReader(dependencies.repositories);
  return ({ site, baseTask, work: taskWork, isModel }, jobOwner) =>
    readSite({ site, baseTask }, jobOwner, (checkedSite) => {
      if (taskWork.type === 'generate_pages')
        return checkGeneratedPages(dependencies, taskWork, checkedSite);
      return taskWork.type === 'prompt' && !isModel
        ? checkPrompt(dependencies, taskWork.prompt, checkedSite)
        : Promise.resolve({ problems: [], items: [] });
    });
}

/** Checks each page of a task on its own. If none has a problem, plans all their files together. */
async function checkGeneratedPages(
  dependencies: TaskCheckDependencies,
  pagesWork: GeneratePagesWork,
  checkedSite: CheckedSite,
): Promise<TaskCheck> {
  const { templatePageSlug, items, linkFrom } = pagesWork;
  const { tree, work } = checkedSite;
  const pages = dependencies.pages.for(work);
  const createUncheckedItem = (item: PageItem, problems: CheckProblem[]): ItemCheck => ({
    targetPageSlug: item.targetPageSlug,
    problems,
    unused: [],
    stays: [],
    remarks: [],
    notes: [],
  });
  const templateResult = await tryWork(async () => {
    checkSitemap(tree);
    const path = findTemplate(tree, pages, templatePageSlug);
    const content = await readSiteTemplate(tree, pages, path);
    return { path, content, identity: await pages.identity(await readPageSource(tree, path)) };
  });
  if ('problem' in templateResult)
    return {
      problems: [templateResult.problem],
      items: items.map((item) => createUncheckedItem(item, [])),
    };
  const { path, content, identity } = templateResult.value;
  const template = { slug: content.slug, path, slots: content.slots };
  const problems = await findWorkProblems(
    async () => linkFrom && readLinkPage(tree, pages, { linkFrom, template }),
  );
  const fileNameList = packFileNames(tree.entries.values());
  const checkItem = async (item: PageItem): Promise<ItemCheck> => {
    const targetProblems = await findWorkProblems(() =>
      checkItemTarget(item, { pages, names: fileNameList, path }, checkedSite),
    );
    const textResult = await tryWork(() =>
      checkItemTexts(dependencies, createTemplatePage(content), item, work),
    );
    if ('problem' in textResult)
      return createUncheckedItem(item, [...targetProblems, textResult.problem]);
    return { targetPageSlug: item.targetPageSlug, problems: targetProblems, ...textResult.value };
  };
  const checkedItems = await Promise.all(items.map(checkItem));
  const slugs = items.map(({ targetPageSlug }) => targetPageSlug);
  const jointProblems = checkedItems.some((item) => item.problems.length > 0)
    ? []
    : await findWorkProblems(() => pages.planTargets(fileNameList, { templatePath: path, slugs }));
  return { problems: [...problems, ...jointProblems], items: checkedItems, template: identity };
}

/** Writes a page, and lists carried-over texts, unused values, remarks on values, and notes. */
async function checkItemTexts(
  { rules }: TaskCheckDependencies,
  template: TemplatePage,
  item: PageItem,
  work: JobOwner,
) {
  const { page, carriedOver, remarks } = await rules.checkPage({ template, item }, work);
  const junkValues = new Set(remarks.map(({ value }) => value));
  const unusedValues = page.notes
    .filter(({ kind }) => kind === 'unused')
    .flatMap((note) => (noteValues(note).length > 0 ? noteValues(note) : [note.text]))
    .filter((value) => !junkValues.has(value));
  return {
    stays: carriedOver,
    remarks,
    unused: unusedValues.slice(0, MAX_UNUSED_VALUES),
    notes: page.notes,
  };
}

interface TemplateFiles {
  pages: PageMethods;
  names: string;
  /** Path of the template. */
  path: string;
}

/** Throws PAGE_EXISTS if the site has a requested page already, unless a task made that page. */
async function checkItemTarget(
  { targetPageSlug: slug }: PageItem,
  { pages, names, path }: TemplateFiles,
  checkedSite: CheckedSite,
) {
  const targets = await pages.planTargets(names, { templatePath: path, slugs: [slug] });
  for (const target of targets)
    if (
      target.existing &&
      !(await checkedSite.repository.isMadeByTask(
        checkedSite.base,
        target.path,
        checkedSite.work.signal,
      ))
    )
      throw pageExistsError(slug);
}
