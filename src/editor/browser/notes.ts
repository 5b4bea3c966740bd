// The task's notes on the page: what a person should check. Each note leads to the text that it is
// about, and can be resolved: fixed, accepted, or removed together with its fact.

import { noteStateLabel } from '../../browser/stateLabels.ts';
import type { SettableNoteState } from '../../contract/notes/noteStates.ts';
import type { EditableText, OfferedPage } from '../protocol.ts';
import { elements, createElement } from './dom.ts';

export type OfferedNote = OfferedPage['notes'][number];

interface NoteActions {
  show: (text: EditableText) => void;
  settle: (note: OfferedNote, state: SettableNoteState) => void;
  drop: (note: OfferedNote) => void;
}

/**
 * The text that a note is about: the text that it names. If that one lacks the note's value,
 * another text that has it, preferably one that people see.
 */
function findNoteText(
  { slot, value }: OfferedNote,
  texts: EditableText[],
): EditableText | undefined {
  const namedText = texts.find(({ id }) => id === slot);
  if (!value || namedText?.texts.join('').includes(value)) return namedText;
  const isHeadText = ({ role }: EditableText) =>
    /^(title|description|social-|structured-data)/.test(role);
  const textsWithValue = texts.filter((text) => text.texts.join('').includes(value));
  return textsWithValue.find((text) => !isHeadText(text)) ?? textsWithValue[0] ?? namedText;
}

export function listNotes({ notes, texts, slug }: OfferedPage, actions: NoteActions) {
  const openNotes = notes.filter(({ state }) => state === 'open');
  const resolvedNotes = notes.filter(({ state }) => state !== 'open');
  elements.notes.hidden = notes.length === 0;
  elements.notesCount.textContent = `${openNotes.length}`;
  elements.notesList.replaceChildren(
    ...openNotes.map((note) => createOpenNote(note, { texts, slug, ...actions })),
  );
  elements.settled.hidden = resolvedNotes.length === 0;
  elements.settledCount.textContent = `${resolvedNotes.length}`;
  elements.settledList.replaceChildren(
    ...resolvedNotes.map((note) => {
      const words = noteWords(note, slug);
      const buttons =
        // nobody resolved a change that was asked for
        note.kind === 'requested'
          ? []
          : [createButton('Reopen', words, () => actions.settle(note, 'open'))];
      return createElement(
        'li',
        {},
        `${words} `,
        createElement('span', { className: 'how' }, resolutionWords(note)),
        ...buttons,
      );
    }),
  );
}

function createOpenNote(
  note: OfferedNote,
  { texts, slug, show, settle, drop }: NoteActions & Pick<OfferedPage, 'texts' | 'slug'>,
) {
  const words = noteWords(note, slug);
  const text = findNoteText(note, texts);
  const noteLabel = text
    ? createElement(
        'button',
        { type: 'button', className: 'note', onclick: () => show(text) },
        words,
      )
    : createElement('span', {}, words);
  const buttons = [
    ...(note.isDroppable ? [createButton('Remove', words, () => drop(note))] : []),
    createButton('Accept', words, () => settle(note, 'kept')),
    createButton('Fixed', words, () => settle(note, 'done')),
  ];
  return createElement(
    'li',
    {},
    noteLabel,
    createElement('div', { className: 'settle' }, ...buttons),
  );
}

const createButton = (name: string, noteText: string, onclick: () => void) =>
  createElement('button', { type: 'button', ariaLabel: `${name}: ${noteText}`, onclick }, name);

const noteWords = ({ text }: OfferedNote, slug: string) => text.replace(`${slug}: `, '');

const resolutionWords = ({ state, by, isElsewhere }: OfferedNote) =>
  noteStateLabel(state, by) + (isElsewhere ? ' in another task' : '');
