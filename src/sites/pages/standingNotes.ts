import { createSays } from '../../contract/containedValues.ts';
import { type Note, valuesOf } from '../../contract/task.ts';
import type { EditableText } from '../formats/page.ts';

/** The parts of a note that can be checked against a page. */
export type NotedValues = Pick<Note, 'kind' | 'value' | 'values'>;

/** A page's texts when a task wrote them, and now. */
export interface TextsSince {
  written: readonly EditableText[];
  now: readonly EditableText[];
}

/**
 * For each note, whether the page still has its problem; null if the page's texts can't tell.
 * A value that readers saw on the written page is only searched in texts that readers see. Titles
 * and headlines are only searched in titles and headlines.
 */
export function standing(texts: TextsSince, notes: readonly NotedValues[]): (boolean | null)[] {
  const names = inPlace(texts, (text) => isTitle(text) || isHeadline(text));
  const shown = inPlace(texts, (text) => !isHidden(text));
  const anywhere = inPlace(texts, () => true);
  return notes.map((note) => {
    const values = valuesOf(note);
    if (note.kind === 'unused') {
      const missing = values.filter((value) => !shown.written(value));
      return missing.length === 0 ? null : missing.some((value) => !shown.now(value));
    }
    const isShown = values.some((value) => shown.written(value));
    const place = note.kind === 'template' ? names : isShown ? shown : anywhere;
    const said = values.filter((value) => place.written(value));
    return said.length === 0 ? null : said.some((value) => place.now(value));
  });
}

function inPlace({ written, now }: TextsSince, isThere: (text: EditableText) => boolean) {
  const saysOf = (texts: readonly EditableText[]) => createSays(texts.filter(isThere).map(wordsOf));
  return { written: saysOf(written), now: saysOf(now) };
}

const wordsOf = ({ texts }: EditableText) => texts.join('');
const isTitle = ({ role }: EditableText) => role === 'title';
const isHeadline = ({ role, level }: EditableText) => role === 'heading' && level === 1;
const isHidden = ({ role }: EditableText) =>
  /^(?:title|description|social-|structured-data)/.test(role);
