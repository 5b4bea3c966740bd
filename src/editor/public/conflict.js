// Two people changed a page: shows what each wrote, and lets the one at hand decide.

import { at, make } from './dom.js';
import { labelOf } from './labels.js';

/** What of the typed texts still has its place on the page as it is now. */
export function compare(typed, page) {
  const now = new Map(page.texts.map((text) => [text.id, text]));
  return typed.map(([text, mine]) => {
    const theirs = now.get(text.id);
    const fits = theirs?.role === text.role && theirs.marks.join() === text.marks.join();
    return { text, mine, theirs: fits ? theirs : undefined };
  });
}

/**
 * @param {{label: string, mine: string, theirs: string | undefined}[]} rows
 * @returns {Promise<'mine' | 'theirs' | 'later'>}
 */
function decide(rows) {
  const dialog = at('conflict');
  at('conflict-list').replaceChildren(...rows.map(row));
  dialog.returnValue = 'later';
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => resolve(dialog.returnValue || 'later'), { once: true }),
  );
}

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

const side = (name, value) =>
  make('label', {}, name, make('textarea', { value, readOnly: true, rows: value.length > 400 ? 12 : 2 }));

export const decideTexts = (pairs) =>
  decide(
    pairs.map(({ text, mine, theirs }) => ({
      label: labelOf(text),
      mine: mine.join(''),
      theirs: theirs?.texts.join(''),
    })),
  );

export const decideSource = (mine, theirs) => decide([{ label: 'Source', mine, theirs }]);
