// The task's notes on the page. Each note leads to the text that it is about, and can be settled.

import { settledWords } from '../../browser/stateWords.ts';
import type { SaidState } from '../../contract/noteStates.ts';
import type { EditableText, OfferedPage } from '../protocol.ts';
import { elements, make } from './dom.ts';

export type Note = OfferedPage['notes'][number];

interface Doing {
  show: (text: EditableText) => void;
  settle: (note: Note, state: SaidState) => void;
  drop: (note: Note) => void;
}

/**
 * The text that a note is about: the text that it names. If that one lacks the note's value,
 * another text that has it, preferably one that people see.
 */
function textOf({ slot, value }: Note, texts: EditableText[]): EditableText | undefined {
  const named = texts.find(({ id }) => id === slot);
  if (!value || named?.texts.join('').includes(value)) return named;
  const isInHead = ({ role }: EditableText) =>
    /^(title|description|social-|structured-data)/.test(role);
  const holding = texts.filter((text) => text.texts.join('').includes(value));
  return holding.find((text) => !isInHead(text)) ?? holding[0] ?? named;
}

export function listNotes({ notes, texts, slug }: OfferedPage, doing: Doing) {
  const open = notes.filter(({ state }) => state === 'open');
  const settled = notes.filter(({ state }) => state !== 'open');
  elements.notes.hidden = notes.length === 0;
  elements.notesCount.textContent = `${open.length}`;
  elements.notesList.replaceChildren(
    ...open.map((note) => openNote(note, { texts, slug, ...doing })),
  );
  elements.settled.hidden = settled.length === 0;
  elements.settledCount.textContent = `${settled.length}`;
  elements.settledList.replaceChildren(
    ...settled.map((note) => {
      const words = wordsOf(note, slug);
      const again = button('Open again', words, () => doing.settle(note, 'open'));
      return make('li', {}, `${words} `, make('span', { className: 'how' }, howOf(note)), again);
    }),
  );
}

function openNote(
  note: Note,
  { texts, slug, show, settle, drop }: Doing & Pick<OfferedPage, 'texts' | 'slug'>,
) {
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

const button = (name: string, about: string, onclick: () => void) =>
  make('button', { type: 'button', ariaLabel: `${name}: ${about}`, onclick }, name);

const wordsOf = ({ text }: Note, slug: string) => text.replace(`${slug}: `, '');

const howOf = ({ state, by, isElsewhere }: Note) =>
  settledWords(state, by) + (isElsewhere ? ' in another task' : '');
