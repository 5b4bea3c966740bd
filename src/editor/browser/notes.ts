// What the task says that somebody should look at. A note leads to the text that it is about, and can be settled.

import { elements, make } from './dom.ts';

/** @import { EditableText, OfferedPage } from '../protocol.ts' */
/** @typedef {OfferedPage['notes'][number]} Note */

/**
 * The text that a note is about: the one with its value, else the one that it names.
 * @param {Pick<Note, 'slot' | 'value'>} note
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
 * @param {OfferedPage} page
 * @param {{
 *   show: (text: EditableText) => void,
 *   settle: (note: Note, state: 'open' | 'done' | 'kept') => void,
 *   drop: (note: Note) => void,
 * }} doing
 */
export function listNotes({ notes, texts, slug }, doing) {
  const open = notes.filter(({ state }) => state === 'open');
  const settled = notes.filter(({ state }) => state !== 'open');
  elements.notes.hidden = notes.length === 0;
  elements.notesCount.textContent = `${open.length}`;
  elements.notesList.replaceChildren(...open.map((note) => openNote(note, { texts, slug, ...doing })));
  elements.settled.hidden = settled.length === 0;
  elements.settledCount.textContent = `${settled.length}`;
  elements.settledList.replaceChildren(
    ...settled.map((note) => {
      const words = wordsOf(note, slug);
      const again = button('Open again', words, () => doing.settle(note, 'open'));
      return make('li', {}, `${words} `, make('span', { className: 'how' }, settledWords(note)), again);
    }),
  );
}

/**
 * @param {Note} note
 * @param {Parameters<typeof listNotes>[1] & Pick<OfferedPage, 'texts' | 'slug'>} doing
 */
function openNote(note, { texts, slug, show, settle, drop }) {
  const words = wordsOf(note, slug);
  const text = textOf(note, texts);
  const said = text
    ? make('button', { type: 'button', className: 'note', onclick: () => show(text) }, words)
    : make('span', {}, words);
  const buttons = [
    ...(note.isDroppable ? [button('Drop', words, () => drop(note))] : []),
    button('Keep', words, () => settle(note, 'kept')),
    button('Done', words, () => settle(note, 'done')),
  ];
  return make('li', {}, said, make('div', { className: 'settle' }, ...buttons));
}

/**
 * @param {string} name
 * @param {string} about
 * @param {() => void} onclick
 */
const button = (name, about, onclick) =>
  make('button', { type: 'button', ariaLabel: `${name}: ${about}`, onclick }, name);

/**
 * @param {Note} note
 * @param {string} slug
 */
const wordsOf = ({ text }, slug) => text.replace(`${slug}: `, '');

const states = { open: '', done: 'Done', kept: 'Kept on purpose', dropped: 'Dropped' };

/** @param {Note} note */
const settledWords = ({ state, by }) => (by ? `${states[state]} by ${by}` : states[state]);
