import type { CommittedContent } from '../contract/committedContent.ts';
import type { Creator } from '../contract/creator.ts';
import type { Note } from '../contract/task.ts';
import type { TemplateContent } from '../sites/formats/format.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import type { VersionDeps } from './commitVersion.ts';
import type { EditableTask } from './editableTask.ts';
import {
  type FactRemoval,
  type PageWithNotes,
  type PageNotesPlan,
  resolveNotes,
} from './resolveNotes.ts';

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
  resolveNotes(deps, task, {
    notes: request.notes,
    kind: 'replacement',
    by: request.by,
    summary: (_kinds, place) => {
      const uses = Object.entries(request.places).map(([key, name]) => `"${key}" as ${name}`);
      return `Use ${uses.join(', ')} on ${place}`;
    },
    createPlanner: () => (page) => planPlacement(deps, task, { ...request, ...page }),
  });

async function planPlacement(
  { pages, placeContextValues }: Pick<PlacementDeps, 'pages' | 'placeContextValues'>,
  { organizationId }: EditableTask,
  {
    current,
    slug,
    page,
    siblings,
    notes,
    places,
    readContext,
  }: ValuePlacementRequest & PageWithNotes,
): Promise<PageNotesPlan> {
  const { digest, ...template } = await pages.readTemplate(page, siblings);
  const { content, sentences } = await placeContextValues(
    { page: template, context: await readContext(notes[0]!), places },
    { organizationId },
  );
  if (sentences.length > 0)
    return { source: page.source, resolved: [], remaining: notes, sentences };
  const source = await pages.create({
    ...content,
    template: page,
    target: { slug, path: page.path },
    siblings,
    sitePaths: current.sitePaths,
    digest,
  });
  return { source, resolved: notes, remaining: [], sentences: [] };
}
