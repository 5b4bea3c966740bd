// Two people changed a page: shows what each wrote, and lets the one at hand decide.

import { elements, make } from './dom.ts';
import { labelOf } from './labels.ts';

/**
 * @import { EditableText, OpenedPage } from '../protocol.ts'
 * @typedef {{ text: EditableText, mine: string[], theirs: EditableText | undefined }} Pair
 * @typedef {{ label: string, mine: string, theirs: string | undefined }} Row
 * @typedef {'mine' | 'theirs' | 'later'} Choice
 */

/**
 * What of the typed texts still has its place on the page as it is now.
 * @param {[EditableText, string[]][]} typed
 * @param {OpenedPage} page
 * @returns {Pair[]}
 */
export function compare(typed, page) {
  const now = new Map(page.texts.map((text) => [text.id, text]));
  return typed.map(([text, mine]) => {
    const theirs = now.get(text.id);
    const fits = theirs?.role === text.role && theirs.marks.join() === text.marks.join();
    return { text, mine, theirs: fits ? theirs : undefined };
  });
}

/**
 * @param {Row[]} rows
 * @returns {Promise<Choice>}
 */
function decide(rows) {
  const { conflict, conflictList } = elements;
  conflictList.replaceChildren(...rows.map(row));
  conflict.returnValue = 'later';
  conflict.showModal();
  return new Promise((resolve) =>
    conflict.addEventListener('close', () => resolve(choiceOf(conflict.returnValue)), { once: true }),
  );
}

/**
 * Escape closes the dialog without a choice.
 * @param {string} value
 * @returns {Choice}
 */
const choiceOf = (value) => (value === 'mine' || value === 'theirs' ? value : 'later');

/** @param {Row} row */
function row({ label, mine, theirs }) {
  const gone = 'This text is no longer on the page: copy yours if you need it.';
  return make(
    'section',
    { className: 'pair' },
    make('h3', {}, label),
    side('Yours', mine),
    theirs === undefined ? make('p', {}, gone) : side('On the page now', theirs),
  );
}

/**
 * @param {string} name
 * @param {string} value
 */
const side = (name, value) =>
  make('label', {}, name, make('textarea', { value, readOnly: true, rows: value.length > 400 ? 12 : 2 }));

/** @param {Pair[]} pairs */
export const decideTexts = (pairs) =>
  decide(
    pairs.map(({ text, mine, theirs }) => ({
      label: labelOf(text),
      mine: mine.join(''),
      theirs: theirs?.texts.join(''),
    })),
  );

/**
 * @param {string} mine
 * @param {string} theirs
 */
export const decideSource = (mine, theirs) => decide([{ label: 'Source', mine, theirs }]);
