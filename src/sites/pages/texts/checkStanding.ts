import { createValueFinder } from '../../../contract/text/containedValues.ts';
import { type Note, noteValues } from '../../../contract/task.ts';
import type { EditableSlot } from '../../formats/pageParts.ts';

/** The parts of a note that can be checked against a page. */
export type NotedValues = Pick<Note, 'kind' | 'value' | 'values'>;

/** A page's texts when a task wrote them, and now. */
export interface TextsSince {
  written: readonly EditableSlot[];
  now: readonly EditableSlot[];
}

/**
 * For each note, whether the page still has its problem; null if the page's texts can't tell. A
 * note on the price "€ 500" still stands if the page has this text now; a note on an unused value
 * stands until the page has it. A value that readers saw on the written page is only searched in
 * texts that readers see, and a value of a `template` note only in titles and headlines.
 */
export function checkStanding(
  texts: TextsSince,
  notes: readonly NotedValues[],
): (boolean | null)[] {
  const titleTests = createValueTests(texts, (text) => isTitle(text) || isHeadlineText(text));
  const visibleTests = createValueTests(texts, (text) => !isHeadText(text));
  const allTests = createValueTests(texts, () => true);
  return notes.map((note) => {
    const values = noteValues(note);
    if (note.kind === 'unused') {
      const missingValues = values.filter((value) => !visibleTests.written(value));
      return missingValues.length === 0
        ? null
        : missingValues.some((value) => !visibleTests.now(value));
    }
    const isShown = values.some((value) => visibleTests.written(value));
    const tests = note.kind === 'template' ? titleTests : isShown ? visibleTests : allTests;
    const writtenValues = values.filter((value) => tests.written(value));
    return writtenValues.length === 0 ? null : writtenValues.some((value) => tests.now(value));
  });
}

function createValueTests(
  { written, now }: TextsSince,
  isIncluded: (text: EditableSlot) => boolean,
) {
  const createTest = (texts: readonly EditableSlot[]) =>
    createValueFinder(texts.filter(isIncluded).map(joinedText));
  return { written: createTest(written), now: createTest(now) };
}

const joinedText = ({ texts }: EditableSlot) => texts.join('');
const isTitle = ({ role }: EditableSlot) => role === 'title';
const isHeadlineText = ({ role, level }: EditableSlot) => role === 'heading' && level === 1;
const isHeadText = ({ role }: EditableSlot) =>
  /^(?:title|description|social-|structured-data)/.test(role);
