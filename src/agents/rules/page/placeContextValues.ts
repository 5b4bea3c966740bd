import { committedContent } from '../../../contract/committedContent.ts';
import { noteValues } from '../../../contract/task.ts';
import type { ValuePlacement, ValuePlacementJob } from '../../agentPorts.ts';
import { listContextValues } from '../../shared/context/contextValues.ts';
import { readContext } from '../../shared/context/readContext.ts';
import { shortenNoteValue } from '../../shared/page/pageWarnings.ts';
import { writeRulesPage } from './writeRulesPage.ts';

const NO_VALUES_SENTENCE = 'the context of the page has no values with these keys';

/**
 * Plans to write values of a page's context that the page does not use to places that a person
 * chose, such as the column "Customer rating" to the place "Rating". The page is its own template,
 * and the new context has only these values, so that everything else on the page stays.
 */
export function placeContextValues({ page, context, places }: ValuePlacementJob): ValuePlacement {
  const valuesByKey = Map.groupBy(
    listContextValues(readContext(context, page.slug)),
    ({ owner }) => owner,
  );
  const placedValues = Object.entries(places).flatMap(([key, place]) => {
    const values = valuesByKey.get(key)?.map(({ text }) => text) ?? [];
    return values.length === 0 ? [] : { place, text: values.join('\n\n') };
  });
  if (placedValues.length === 0)
    return { content: { texts: {} }, sentences: [`${page.slug}: ${NO_VALUES_SENTENCE}`] };
  const newContext = Object.fromEntries(placedValues.map(({ place, text }) => [place, text]));
  const item = { targetPageSlug: page.slug, context: JSON.stringify(newContext) };
  const { notes, ...writtenPage } = writeRulesPage(page, item);
  const unusedNotes = notes.filter(({ kind }) => kind === 'unused');
  const unusedValues = new Set(unusedNotes.flatMap(noteValues));
  // of "4.8 (20)", a place may take only the 4.8
  const isComplete = placedValues.every(({ text }) => !unusedValues.has(shortenNoteValue(text)));
  return isComplete
    ? { content: committedContent(writtenPage), sentences: [] }
    : { content: { texts: {} }, sentences: unusedNotes.map(({ text }) => text) };
}
