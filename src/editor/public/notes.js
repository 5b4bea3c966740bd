// What the task says that somebody should look at. A note leads to the text that it is about.

import { elements, make } from './dom.js';

/** @import { EditableText, OpenedPage } from '../protocol.ts' */

/**
 * The text that a note is about: the one with its value, else the one that it names.
 * @param {OpenedPage['notes'][number]} note
 * @param {EditableText[]} texts
 */
export function textOf({ slot, value }, texts) {
  const named = texts.find(({ id }) => id === slot);
  if (!value || named?.texts.join('').includes(value)) return named;
  const isInHead = (/** @type {EditableText} */ { role }) => /^(title|description|social-|structured-data)/.test(role);
  const holding = texts.filter((text) => text.texts.join('').includes(value));
  return holding.find((text) => !isInHead(text)) ?? holding[0] ?? named;
}

/**
 * @param {OpenedPage} page
 * @param {(text: EditableText) => void} show
 */
export function listNotes({ notes, texts, slug }, show) {
  elements.notes.hidden = notes.length === 0;
  elements.notesCount.textContent = `${notes.length}`;
  elements.notesList.replaceChildren(
    ...notes.map((note) => {
      const words = note.text.replace(`${slug}: `, '');
      const text = textOf(note, texts);
      if (!text) return make('li', {}, words);
      return make('li', {}, make('button', { type: 'button', className: 'note', onclick: () => show(text) }, words));
    }),
  );
}
