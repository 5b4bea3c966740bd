import type { CommittedContent } from '../contract/committedContent.ts';
import type { Creator } from '../contract/creator.ts';
import type { Note } from '../contract/task.ts';
import { mapConcurrently } from '../mapConcurrently.ts';
import type { TemplateContent } from '../sites/formats/format.ts';
import type { Tree } from '../sites/git/repository.ts';
import { readPageSource } from '../sites/pages/pageSource.ts';
import { readSiblings } from '../sites/pages/templates.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import { repeatVersion, type VersionDeps } from './commitVersion.ts';
import { type CurrentResult, pathOfSlug, readCurrentResult } from './currentPage.ts';
import type { EditableTask } from './editableTask.ts';
import {
  commitNoteChanges,
  type FactRemoval,
  findEditProblem,
  PAGES_AT_ONCE,
  type PageNoteChange,
} from './removeFacts.ts';

/** Plans to write values of a page's context, which it does not use, to places of the page. */
export type ContextValuePlacer = (
  job: {
    page: Omit<TemplateContent, 'digest'>;
    context: string;
    places: Record<string, string>;
  },
  jobOwner: JobOwner,
) => Promise<{ content: CommittedContent; sentences: string[] }>;

/** Where values of contexts belong that notes report as not used. */
export interface ValuePlacementRequest {
  notes: Note[];
  /** Places of a page, such as `Rating`, by the keys of the contexts. */
  places: Record<string, string>;
  /** Reads the context from which a note's page was written. */
  readContext: (note: Note) => Promise<string>;
  by: Creator | null;
}

export interface PlacementDeps extends VersionDeps {
  placeContextValues: ContextValuePlacer;
}

/**
 * Writes values that pages do not use to places that a person chose, on all pages of these notes,
 * as one version of the result. Keys of a note without a place stay unused, as the person decided.
 * @returns in `removed`, the notes whose values with a place are now on the page
 * @throws DomainError as `removeFacts`
 */
export const placeValues = (
  deps: PlacementDeps,
  task: EditableTask,
  request: ValuePlacementRequest,
): Promise<FactRemoval> =>
  repeatVersion(async () => {
    const current = await readCurrentResult(deps, task);
    const resultTree = await current.repository.tree({
      commit: task.commit,
      retainedBy: task.taskId,
    });
    const notesByPage = [...Map.groupBy(request.notes, ({ page }) => page!)];
    const pages = await mapConcurrently(
      notesByPage,
      ([slug, notes]) => placeOnPage(deps, task, { ...request, current, resultTree, slug, notes }),
      PAGES_AT_ONCE,
    );
    const uses = Object.entries(request.places).map(([key, place]) => `"${key}" as ${place}`);
    return commitNoteChanges(deps, task, current, {
      pages,
      kind: 'replacement',
      by: request.by,
      summary: (_kinds, place) => `Use ${uses.join(', ')} on ${place}`,
    });
  });

interface PagePlacement extends ValuePlacementRequest {
  current: CurrentResult;
  /** Siblings are read from the result itself, which no version changes. */
  resultTree: Tree;
  slug: string;
}

async function placeOnPage(
  { pages, placeContextValues }: Pick<PlacementDeps, 'pages' | 'placeContextValues'>,
  { organizationId }: EditableTask,
  { current, resultTree, slug, notes, places, readContext }: PagePlacement,
): Promise<PageNoteChange> {
  const { tree, sitePaths } = current;
  const path = pathOfSlug(pages, sitePaths, slug);
  if (path === undefined) return { slug, resolved: notes, remaining: [], sentences: [] };
  const page = await readPageSource(tree, path);
  const siblings = await readSiblings(resultTree, pages, path);
  const { digest, ...template } = await pages.readTemplate(page, siblings);
  const { content, sentences } = await placeContextValues(
    { page: template, context: await readContext(notes[0]!), places },
    { organizationId },
  );
  const source = await pages.create({
    ...content,
    template: page,
    target: { slug, path },
    siblings,
    sitePaths,
    digest,
  });
  const unchangedPage = { slug, resolved: [], remaining: notes };
  if (sentences.length > 0) return { ...unchangedPage, sentences };
  if (source === page.source) return { slug, resolved: notes, remaining: [], sentences: [] };
  const problem = await findEditProblem(pages, { ...current, slug, page }, { source });
  if (problem !== null) return { ...unchangedPage, sentences: [`${slug}: ${problem}`] };
  const change = { path, content: source };
  return { slug, change, resolved: notes, remaining: [], sentences: [] };
}
