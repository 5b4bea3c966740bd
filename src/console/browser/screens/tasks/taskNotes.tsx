import { hostPath } from '../../../../browser/hostPath.ts';
import { noteStateLabel } from '../../../../browser/stateLabels.ts';
import { useState } from 'preact/hooks';
import { api, post } from '../../client/api.ts';
import { toast } from '../../ui/toasts.tsx';
import type { FactRemovalResponse, NoteResponse, Task } from '../../../../contract/responses.ts';
import type { SettableNoteState } from '../../../../contract/notes/noteStates.ts';
import {
  hasDroppableFact,
  hasTypeableFact,
  noteValues,
} from '../../../../contract/notes/noteFacts.ts';
import { forgetData } from '../../useData.ts';
import { countNoun } from '../../../../browser/counts.ts';
import {
  areOfSameFact,
  isOpenNote,
  isRequestedChange,
  withoutSlug,
} from '../../words/noteWords.ts';
import { Button, ButtonLink, type SelectChoice, SelectField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { trackPageChange } from '../reviews/pageChanges.ts';
import { RequestedChanges } from './requestedChanges.tsx';
import { type ColumnPlaces, PlaceDialog } from './placeDialog.tsx';
import { TypeDialog, type TypedValue } from './typeDialog.tsx';

/** The number of notes that are shown at first. More of them would hide the page below. */
const FIRST_NOTES = 4;

interface NotesProps {
  task: Task;
  notes: NoteResponse[];
  /** The URL at which the page with these notes is edited. */
  editUrl?: string | null;
  onEdit?: (() => void) | undefined;
  /** Reads the task again. */
  reload: () => void;
  /** Called after the task got a new version. */
  onVersion: () => void;
}

/**
 * Lists the notes on a result. A note is something that a person should check, such as a price that
 * is still the template's. A person resolves it: fixed, accepted as it is, or removed.
 */
export function TaskNotes({ notes, ...props }: NotesProps) {
  const [dropped, setDropped] = useState<NoteResponse>();
  const [typed, setTyped] = useState<NoteResponse>();
  const [placed, setPlaced] = useState<NoteResponse>();
  const [isWhole, setWhole] = useState(false);
  const openNotes = notes.filter(isOpenNote);
  const requestedNotes = notes.filter(isRequestedChange);
  const resolvedNotes = notes.filter((note) => !isOpenNote(note) && !isRequestedChange(note));
  const shownNotes = isWhole ? openNotes : openNotes.slice(0, FIRST_NOTES);
  return (
    <>
      {openNotes.length > 0 && (
        <ul class="notes" aria-label="Notes">
          {shownNotes.map((note) => (
            <OpenNoteItem
              key={note.id}
              note={note}
              {...props}
              onDrop={() => setDropped(note)}
              onType={() => setTyped(note)}
              onPlace={() => setPlaced(note)}
            />
          ))}
        </ul>
      )}
      {shownNotes.length < openNotes.length && (
        <div>
          <Button little onClick={() => setWhole(true)}>
            Show all {openNotes.length} notes
          </Button>
        </div>
      )}
      {openNotes.length > 1 && <ResolveAllButtons notes={openNotes} {...props} />}
      {resolvedNotes.length > 0 && (
        <details class="settled">
          <summary>{countNoun(resolvedNotes.length, 'resolved note')}</summary>
          <ul class="notes" aria-label="Resolved notes">
            {resolvedNotes.map((note) => (
              <ResolvedNoteItem key={note.id} note={note} {...props} />
            ))}
          </ul>
        </details>
      )}
      <RequestedChanges changes={requestedNotes.map((note) => ({ text: withoutSlug(note) }))} />
      {dropped && <DropDialog {...props} note={dropped} close={() => setDropped(undefined)} />}
      {typed && <NoteTypeDialog {...props} note={typed} close={() => setTyped(undefined)} />}
      {placed && <NotePlaceDialog {...props} note={placed} close={() => setPlaced(undefined)} />}
    </>
  );
}

type NoteProps = Omit<NotesProps, 'notes'> & { note: NoteResponse };

function OpenNoteItem({
  note,
  editUrl,
  onEdit,
  onDrop,
  onType,
  onPlace,
  ...taskProps
}: NoteProps & Record<'onDrop' | 'onType' | 'onPlace', () => void>) {
  const noteText = withoutSlug(note);
  const resolveNote = (state: SettableNoteState) => () => sendResolution(taskProps, [note], state);
  return (
    <li>
      <Icon name="alert" size={16} />
      <span>{noteText}</span>
      <div class="row">
        {editUrl && (
          <ButtonLink little href={editUrl} onClick={onEdit} label={`Edit: ${noteText}`}>
            Edit
          </ButtonLink>
        )}
        {note.page !== undefined && hasDroppableFact(note) && (
          <Button little onClick={onDrop} label={`Remove: ${noteText}`}>
            Remove
          </Button>
        )}
        {note.page !== undefined && hasTypeableFact(note) && (
          <Button little onClick={onType} label={`Type one for all: ${noteText}`}>
            Type one for all
          </Button>
        )}
        {note.page !== undefined && note.keys && (
          <Button little onClick={onPlace} label={`Use it as …: ${noteText}`}>
            Use it as …
          </Button>
        )}
        <Button little onClick={resolveNote('kept')} label={`Accept: ${noteText}`}>
          Accept
        </Button>
        <Button little onClick={resolveNote('done')} label={`Fixed: ${noteText}`}>
          Fixed
        </Button>
      </div>
    </li>
  );
}

const ResolveAllButtons = ({ notes, ...taskProps }: NotesProps) => (
  <div class="row">
    <Button little onClick={() => sendResolution(taskProps, notes, 'kept')}>
      Accept all {notes.length}
    </Button>
    <Button little onClick={() => sendResolution(taskProps, notes, 'done')}>
      Mark all {notes.length} as fixed
    </Button>
  </div>
);

const ResolvedNoteItem = ({ note, ...taskProps }: NoteProps) => (
  <li>
    <Icon name="check" size={16} />
    <span>
      {withoutSlug(note)} <span class="muted">{noteStateLabel(note.state, note.by?.name)}</span>{' '}
      {note.droppedIn && <a href={`/tasks/${note.droppedIn}`}>in another task</a>}
    </span>
    <Button
      little
      onClick={() => sendResolution(taskProps, [note], 'open')}
      label={`Reopen: ${withoutSlug(note)}`}
    >
      Reopen
    </Button>
  </li>
);

/** Resolves notes or opens them again, and then reads the task again. */
async function sendResolution(
  { task, reload }: Pick<NotesProps, 'task' | 'reload'>,
  notes: NoteResponse[],
  state: SettableNoteState,
): Promise<void> {
  const button = document.activeElement;
  await api(hostPath`/agent/tasks/${task.taskId}/notes`, {
    method: 'PATCH',
    body: { state, notes: notes.map(({ id }) => id) },
  });
  if (button && button === document.activeElement) focusBeside(button);
  reload();
}

/**
 * Moves the focus away from a button that is about to disappear: to the same button of the next or
 * previous note, else to the heading above.
 */
function focusBeside(button: Element): void {
  const noteElement = button.closest<HTMLElement>('.notes > li');
  const noteElements = [
    ...(noteElement?.parentElement?.querySelectorAll<HTMLElement>(':scope > li:not([inert])') ??
      []),
  ];
  const noteIndex = noteElement ? noteElements.indexOf(noteElement) : -1;
  const nextElement = noteElements[noteIndex + 1] ?? noteElements[noteIndex - 1];
  // The note must not get the focus before the next answer removes it.
  if (noteElement) noteElement.inert = true;
  const [buttonName] = (button.ariaLabel ?? '').split(':');
  const nextButton = nextElement?.querySelector<HTMLElement>(
    `button[aria-label^="${buttonName}:"]`,
  );
  if (nextButton) return nextButton.focus();
  const heading = button.closest('article')?.querySelector('h3') ?? document.querySelector('h1');
  if (!heading) return;
  // With -1, scripts can focus the heading, and the Tab key skips it.
  heading.tabIndex = -1;
  heading.focus();
}

type FactScope = 'page' | 'task';

type FactDialogProps = Pick<NotesProps, 'task' | 'onVersion'> & {
  note: NoteResponse;
  close: () => void;
};

/** The pages on which a fact is changed: the note's own page, or all with the same fact. */
function useFactScope({ task, note }: FactDialogProps, firstScope: FactScope) {
  const [scope, setScope] = useState(firstScope);
  const notesOfSameFact = (task.output?.notes ?? []).filter(
    (otherNote) => isOpenNote(otherNote) && areOfSameFact(note, otherNote),
  );
  const pageCount = new Set(notesOfSameFact.map(({ page }) => page)).size;
  const choices: SelectChoice<FactScope>[] = [['page', `This page: ${note.page}`]];
  if (pageCount > 1) choices.push(['task', `All ${pageCount} pages of this task that have it`]);
  const notes = scope === 'task' ? notesOfSameFact : [note];
  return { scope, setScope, choices, noteIds: notes.map(({ id }) => id) };
}

/** Removes or replaces the facts of notes, as a new version of the task. */
async function changeFacts(
  { task, onVersion, close }: FactDialogProps,
  body: { notes: string[]; places?: ColumnPlaces } & Partial<TypedValue>,
): Promise<void> {
  const path = hostPath`/agent/tasks/${task.taskId}/notes/drop`;
  const change = await trackPageChange(post<FactRemovalResponse>(path, body));
  close();
  forgetData();
  onVersion();
  const isRemoval = body.text === undefined && !body.places;
  toast(
    isRemoval ? removalWords(change) : replacementWords(change),
    !isRemoval && !change.version ? 'bad' : 'good',
  );
}

/** Asks for the text that replaces a note's fact, on all pages with the same fact or on one. */
function NoteTypeDialog(props: FactDialogProps) {
  const { note, close } = props;
  const { scope, setScope, choices, noteIds } = useFactScope(props, 'task');
  return (
    <TypeDialog
      noteText={withoutSlug(note)}
      values={noteValues(note)}
      where={{ value: scope, choices, onChange: (value) => setScope(value as FactScope) }}
      close={close}
      onType={(typed) => changeFacts(props, { notes: noteIds, ...typed })}
    />
  );
}

/** Asks which place unused columns fill, on all pages with the same columns or on one. */
function NotePlaceDialog(props: FactDialogProps) {
  const { note, close } = props;
  const { scope, setScope, choices, noteIds } = useFactScope(props, 'task');
  return (
    <PlaceDialog
      noteText={withoutSlug(note)}
      columns={note.keys ?? []}
      where={{ value: scope, choices, onChange: (value) => setScope(value as FactScope) }}
      close={close}
      onPlace={(change) => changeFacts(props, { notes: noteIds, ...change })}
    />
  );
}

/** Asks from which pages to remove a note's fact: from its own, or from all with the same fact. */
function DropDialog(props: FactDialogProps) {
  const { note, close } = props;
  const { scope, setScope, choices, noteIds } = useFactScope(props, 'page');
  const removeFacts = () => changeFacts(props, { notes: noteIds });
  return (
    <Dialog title="Remove it from the page?" submit="Remove" onClose={close} onSubmit={removeFacts}>
      <p>{withoutSlug(note)}</p>
      <p class="muted">
        The preview then shows the page without it, and without text that says nothing else. You can
        undo this under Versions. Nothing goes live.
      </p>
      {choices.length > 1 && (
        <SelectField label="Where" value={scope} onChange={setScope} choices={choices} />
      )}
    </Dialog>
  );
}

/** What became of the facts, for the person who typed a text or chose a place. */
function replacementWords({ version, remaining, messages }: FactRemovalResponse): string {
  const changed = version && `Changed on ${countNoun(version.pages.length, 'page')}.`;
  return [changed, remaining.length > 0 && messages[0]].filter(Boolean).join(' ');
}

/** What became of the facts, for the person who removed them. */
function removalWords({ version, removed, gone, remaining }: FactRemovalResponse): string {
  const pageCount = new Set(removed.map(({ page }) => page)).size;
  return [
    version && `Removed from ${countNoun(pageCount, 'page')}.`,
    gone.length > 0 && `${countNoun(gone.length, 'fact')} had been removed before.`,
    remaining.length > 0 &&
      `${countNoun(remaining.length, 'fact')} can’t be removed alone: edit the page.`,
  ]
    .filter(Boolean)
    .join(' ');
}
