import type { Batch, BatchOptions, BatchStatus } from '../../src/contract/batches/batch.ts';
import type { BatchStore, UnplannedRow } from '../../src/contract/batches/batchStore.ts';
import type { EndpointFlag } from '../../src/contract/events.ts';
import { DomainError } from '../../src/errors.ts';
import type { GitRepository, Tree } from '../../src/sites/git/repository.ts';
import { checkSitemap } from '../../src/sites/pages/sitemap/deriveSitemap.ts';
import { packFileNames } from '../../src/sites/pages/listing/fileNames.ts';
import { readLinkPage } from '../../src/sites/pages/links/linkPage.ts';
import type { PageMethods } from '../../src/sites/pages/pages.ts';
import type { PageTarget } from '../../src/sites/pages/listing/planTargets.ts';
import { findTemplate, readSiteTemplate } from '../../src/sites/pages/templates.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';
import type { TemplateRef } from '../readSite.ts';
import { endpointFlag } from '../recordEvent.ts';
import { openSite } from '../openSite.ts';
import { splitOnFailure } from '../../src/agents/shared/splitOnFailure.ts';
import { takeOverEdits } from './takeOverEdits.ts';
import { pageExistsError } from '../../src/sites/pages/listing/pageExists.ts';

/** What the other activities of a batch's run need to know about its site. */
export interface BatchPlan extends EndpointFlag {
  status: 'running';
  /** The commit that the batch began from. */
  base: string;
  /** The templates that the rows name, by slug. */
  templates: Record<string, TemplateRef>;
  publish: boolean;
  /** Whether only the canary is written: the first rows, which people approve before the rest. */
  isCanary?: boolean;
  onWarnings: BatchOptions['onWarnings'];
}

/** A batch without work for a run: it is paused, waits for an approval, or is over. */
interface IdleBatch extends EndpointFlag {
  status: Exclude<BatchStatus, 'running'>;
  /** Whether the callback about its end must still be sent. */
  isUnreported: boolean;
}

const ROWS = 250;

/**
 * Plans a run of a batch, a table whose rows each become a page: fetches the site, reads the
 * templates, and decides the file of each row's page. For example, `/locations/lisbon` →
 * `locations/lisbon.html`. A row fails alone if its page exists and no task has created it. First
 * takes over edits by hand since the last run. Repeatable: rows keep their paths as long as the
 * batch keeps its base. Throws LINK_FROM_UNFIT, LIMIT_EXCEEDED, PUSH_REFUSED, GIT_FAILED.
 *
 * The other activities of a run follow in this order: `readNextRows`, `generateRow` and
 * `commitRows` for each window of rows, then `deployBatchPreview`, `verifyBatchPages` (only at an
 * external host), `deployBatch` after a publish, and `completeBatch`.
 */
export function createPlanBatch(
  deps: Pick<
    ActivityDependencies,
    'sites' | 'repositories' | 'pages' | 'batches' | 'approvals' | 'eventLog'
  >,
) {
  const { batches } = deps;
  return async (
    { task }: { task: TaskRef },
    signal: AbortSignal,
  ): Promise<BatchPlan | IdleBatch> => {
    const { organizationId, taskId: batchId } = task;
    const storedBatch = await batches.find(organizationId, batchId);
    const { status, isUnreported = false } = storedBatch;
    const flag = await endpointFlag(deps, task);
    if (status !== 'running') return { status, isUnreported, ...flag };
    const { site: opened, repository } = await openSite(deps, task);
    const editContext = { task, site: opened, repository, batch: storedBatch, signal };
    // an edited page must be published again, and until then the batch keeps its base
    const batch =
      storedBatch.shown === undefined ? storedBatch : await takeOverEdits(deps, editContext);
    const { publish, onWarnings, canary, canaryApproved } = batch;
    const isCanary = canary !== undefined && !canaryApproved;
    const base = await batchBase(batches, repository, batch, signal);
    const baseCommit = { commit: base, retainedBy: batchId };
    const tree = await repository.tree(baseCommit, signal);
    checkSitemap(tree);
    const pages = deps.pages.for({ organizationId, signal });
    const head = storedBatch.base === undefined ? base : await repository.fetchHead(signal);
    const { entries: headEntries } = await repository.tree(
      { commit: head, retainedBy: null },
      signal,
    );
    const site = { batchId, batches, tree, pages, repository, head, headEntries, signal };
    const templates = await readBatchTemplates(site, batch.linkFrom);
    const takenNames: FileNames = [...tree.entries.values()];
    for (;;) {
      const rows = await batches.unplanned(batchId, ROWS);
      if (rows.length === 0)
        return { base, templates, status, publish, isCanary, onWarnings, ...flag };
      takenNames.push(...(await planRowsChunk(site, { rows, templates, names: takenNames })));
    }
  };
}

/**
 * The base: the commit of the site on which the batch's pages are made. A batch keeps its base
 * while written pages wait to be published. Otherwise it takes the head of the production branch,
 * which has the batch's published pages, and perhaps what failed rows lacked.
 */
async function batchBase(
  batches: BatchStore,
  repository: GitRepository,
  { batchId, base, status }: Batch,
  signal: AbortSignal,
): Promise<string> {
  const { written, held, committed } = await batches.counts(batchId);
  if (base !== undefined && (status !== 'running' || written + held + committed > 0)) return base;
  const fetchedBase = await repository.fetchBase(batchId, undefined, signal);
  const productionHead = base === undefined ? fetchedBase : await repository.fetchHead(signal);
  if (productionHead !== base) await batches.begin(batchId, productionHead);
  return productionHead;
}

interface PlanningSite {
  batchId: string;
  batches: BatchStore;
  tree: Tree;
  pages: PageMethods;
  repository: GitRepository;
  /** The production branch's head, and its files. The batch may have begun from an older commit. */
  head: string;
  headEntries: Tree['entries'];
  signal: AbortSignal;
}

/**
 * Reads the templates that rows name. Rows of a template that can't be used fail. A batch without
 * published pages fails as a whole if no template can be used and the page `linkFrom` does not fit.
 */
async function readBatchTemplates(
  { batchId, batches, tree, pages }: PlanningSite,
  linkFrom: string | undefined,
): Promise<BatchPlan['templates']> {
  const templates: BatchPlan['templates'] = {};
  const unusable: { slug: string; error: DomainError }[] = [];
  for (const slug of await batches.templates(batchId)) {
    try {
      const path = findTemplate(tree, pages, slug);
      const { digest, slots } = await readSiteTemplate(tree, pages, path);
      if (linkFrom !== undefined)
        await readLinkPage(tree, pages, { linkFrom, template: { slug, path, slots } });
      templates[slug] = { path, digest };
    } catch (error) {
      if (!(error instanceof DomainError) || error.retryable) throw error;
      unusable.push({ slug, error });
    }
  }
  const unfitTemplate = unusable.find(({ error }) => error.code === 'LINK_FROM_UNFIT');
  const fitsNone = unfitTemplate && Object.keys(templates).length === 0;
  if (fitsNone && (await batches.counts(batchId)).published === 0) throw unfitTemplate.error;
  for (const { slug, error } of unusable) await batches.failTemplate(batchId, slug, error.message);
  return templates;
}

/** Decides and stores the files of up to 250 rows, or their errors. @returns the new files */
async function planRowsChunk(
  { batchId, batches, pages, repository, head, headEntries, signal }: PlanningSite,
  {
    rows,
    templates,
    names: takenNames,
  }: { rows: UnplannedRow[]; names: FileNames } & Pick<BatchPlan, 'templates'>,
): Promise<FileNames> {
  const newFiles: FileNames = [];
  for (const [slug, templateRows] of Map.groupBy(rows, (row) => row.templatePageSlug)) {
    const templatePath = templates[slug]!.path;
    const planTargets = async (rowsToPlan: UnplannedRow[]): Promise<PlannedRow[]> => {
      const slugs = rowsToPlan.map(({ targetPageSlug }) => targetPageSlug);
      const targets = await pages.planTargets(packFileNames([...takenNames, ...newFiles]), {
        templatePath,
        slugs,
      });
      return targets.map((target, i) => {
        const { number, isEdited } = rowsToPlan[i]!;
        return { ...target, number, isEdited };
      });
    };
    const { done, failed } = await splitOnFailure(templateRows, planTargets);
    const plannedRows: PlannedRow[] = [];
    const rowErrors = failed.map(({ row, error }) => ({
      number: row.number,
      error: error.message,
    }));
    const targets = done.flat();
    // a row with an edit by hand has a page that the batch made before
    const existingTargets = targets.filter(
      ({ existing: isInBase, path, isEdited }) => (isInBase || headEntries.has(path)) && !isEdited,
    );
    const paths = existingTargets.map(({ path }) => path);
    const taskPages = await repository.madeByTasks(
      { commit: head, retainedBy: null },
      paths,
      signal,
    );
    for (const target of targets)
      if (existingTargets.includes(target) && !taskPages.has(target.path))
        rowErrors.push({ number: target.number, error: pageExistsError(target.slug).message });
      else plannedRows.push(target);
    await batches.fail(batchId, rowErrors);
    await batches.plan(
      batchId,
      plannedRows.map(({ number, slug: ofPage, path }) => ({ number, slug: ofPage, path })),
    );
    newFiles.push(...plannedRows.map(({ path }) => ({ path, mode: '100644' })));
  }
  return newFiles;
}

type FileNames = { path: string; mode: string }[];
type PlannedRow = PageTarget & Pick<UnplannedRow, 'number' | 'isEdited'>;
