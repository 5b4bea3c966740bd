import { countNoun } from '../../../../browser/counts.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import { noteStateLabel } from '../../../../browser/stateLabels.ts';
import type { BatchNote, BatchResponse } from '../../../../contract/responses.ts';
import type { NoteState } from '../../../../contract/notes/noteStates.ts';
import { api } from '../../client/api.ts';
import { useState } from 'preact/hooks';
import { hasDroppableFact, hasTypeableFact } from '../../../../contract/notes/noteFacts.ts';
import { capitalize, isRequestedChange } from '../../words/noteWords.ts';
import { forgetData, type LoadedList, useList } from '../../useData.ts';
import { Button, OutsideLink } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { toast } from '../../ui/toasts.tsx';
import { trackPageChange } from '../reviews/pageChanges.ts';
import { CardDialog } from './cardDialog.tsx';
import { changeInTurn, removeInTurn, usePendingNotes } from './factRemovals.ts';
import { RequestedChanges } from '../tasks/requestedChanges.tsx';
import { type ColumnPlaces, PlaceDialog } from '../tasks/placeDialog.tsx';
import { TypeDialog, type TypedValue } from '../tasks/typeDialog.tsx';

/** The notes are read from all rows of the batch, so they are read less often than the batch. */
const LIVE_EVERY_MS = 15_000;

/**
 * The notes of a batch, each different one once. A note says what a person should check. One
 * decision counts for all pages that have the note, and can be undone.
 */
export function BatchNoteList({ batch, onVersion }: Pick<BatchNoteProps, 'batch' | 'onVersion'>) {
  const notes = useList<BatchNote>(
    hostPath`/agent/batches/${batch.batchId}/notes`,
    'notes',
    { limit: 100 },
    batch.status === 'running' ? LIVE_EVERY_MS : undefined,
  );
  const pendingNotes = usePendingNotes();
  const listedNotes = notes.data ?? [];
  if (listedNotes.length === 0) return null;
  const undecidedNotes = listedNotes.filter(({ open }) => open > 0);
  const openNotes = undecidedNotes.filter(({ noteId }) => !pendingNotes.includes(noteId));
  const removalCount = undecidedNotes.length - openNotes.length;
  const requestedNotes = listedNotes.filter(isRequestedChange);
  const decidedNotes = listedNotes.filter((note) => note.open === 0 && !isRequestedChange(note));
  const props = { batch, notes, onVersion };
  return (
    <section class="card padded stack" aria-label="Notes">
      <h2 tabIndex={-1}>
        {openNotes.length > 0
          ? `Decide: ${countNoun(openNotes.length, 'note')}${notes.more ? ' or more' : ''}`
          : decidedNotes.length + removalCount > 0
            ? 'All notes are decided'
            : 'Nothing to decide'}
      </h2>
      <p class="muted" role="status">
        {removalCount > 0 &&
          `What ${countNoun(removalCount, 'note')} ${removalCount === 1 ? 'reports' : 'report'} is being removed. You can go on.`}
      </p>
      {openNotes.length > 0 && (
        <ul class="notes" aria-label="Open notes">
          {openNotes.map((note) => (
            <OpenNote key={note.noteId} note={note} {...props} />
          ))}
        </ul>
      )}
      {notes.more && (
        <div>
          <Button little onClick={notes.more}>
            Show more notes
          </Button>
        </div>
      )}
      {decidedNotes.length > 0 && (
        <details class="settled">
          <summary>{countNoun(decidedNotes.length, 'decided note')}</summary>
          <ul class="notes" aria-label="Decided notes">
            {decidedNotes.map((note) => (
              <DecidedNote key={note.noteId} note={note} {...props} />
            ))}
          </ul>
        </details>
      )}
      <RequestedChanges
        changes={requestedNotes.map(({ text, count }) => ({
          text: capitalize(text),
          pages: count,
        }))}
      />
    </section>
  );
}

interface BatchNoteProps {
  note: BatchNote;
  batch: BatchResponse;
  notes: LoadedList<BatchNote>;
  /** Called after facts were removed from the pages. */
  onVersion: () => void;
}

function OpenNote({ note, ...props }: BatchNoteProps) {
  const { open, pages, values, keys, linkFrom } = note;
  const [shownCard, showCard] = useState<string>();
  const [openDialog, setOpenDialog] = useState<'type' | 'place'>();
  const text = capitalize(note.text);
  const decide = (state: NoteState) => () => sendDecision(note, state, props);
  const remove = () => {
    focusHeading();
    return removeInTurn({ batchId: props.batch.batchId, noteId: note.noteId }, (noteIds) =>
      changePages(noteIds, { state: 'dropped' }, props),
    );
  };
  const closeDialog = () => setOpenDialog(undefined);
  const change = async (details: TypedValue | { places: ColumnPlaces }) => {
    await changeInTurn(() => changePages([note.noteId], { state: 'done', ...details }, props));
    closeDialog();
  };
  const scope = open === 1 ? '' : ` on all ${open}`;
  return (
    <li>
      <Icon name="alert" size={16} />
      <div>
        {text} <span class="muted">{countNoun(open, 'page')}</span>
        <details class="settled">
          <summary>{pages.length === 1 ? 'See it' : `See ${pages.length} of them`}</summary>
          <ul class="under">
            {pages.map(({ slug, previewUrl, editUrl }) => (
              <li key={slug} class="row">
                <span>{slug}</span>
                {linkFrom === undefined ? (
                  <>
                    {previewUrl && <OutsideLink href={previewUrl}>Preview</OutsideLink>}
                    {editUrl && <OutsideLink href={editUrl}>Edit</OutsideLink>}
                  </>
                ) : (
                  <Button
                    little
                    label={`Show its card on ${linkFrom}: ${slug}`}
                    onClick={() => showCard(slug)}
                  >
                    Show its card
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </details>
      </div>
      <div class="row">
        {hasDroppableFact(note) && (
          <Button little onClick={remove} label={`Remove${scope}: ${text}`}>
            Remove{scope}
          </Button>
        )}
        {hasTypeableFact(note) && (
          <Button little onClick={() => setOpenDialog('type')} label={`Type one for all: ${text}`}>
            Type one for all
          </Button>
        )}
        {keys.length > 0 && (
          <Button little onClick={() => setOpenDialog('place')} label={`Use it as …: ${text}`}>
            Use it as …
          </Button>
        )}
        <Button little onClick={decide('kept')} label={`Keep${scope}: ${text}`}>
          Keep{scope}
        </Button>
        <Button little onClick={decide('done')} label={`Fixed${scope}: ${text}`}>
          Fixed{scope}
        </Button>
      </div>
      {shownCard !== undefined && linkFrom !== undefined && (
        <CardDialog
          batchId={props.batch.batchId}
          slug={shownCard}
          linkFrom={linkFrom}
          close={() => showCard(undefined)}
        />
      )}
      {openDialog === 'type' && (
        <TypeDialog noteText={text} values={values} close={closeDialog} onType={change} />
      )}
      {openDialog === 'place' && (
        <PlaceDialog noteText={text} columns={keys} close={closeDialog} onPlace={change} />
      )}
    </li>
  );
}

const DecidedNote = ({ note, ...props }: BatchNoteProps) => (
  <li>
    <Icon name="check" size={16} />
    <span>
      {capitalize(note.text)}{' '}
      <span class="muted">
        {noteStateLabel(note.state)}, {countNoun(note.count, 'page')}
      </span>
    </span>
    {!note.changed && (
      <Button
        little
        onClick={() => sendDecision(note, 'open', props)}
        label={`Undo: ${capitalize(note.text)}`}
      >
        Undo
      </Button>
    )}
  </li>
);

/** Decides on a note on all pages that have it. */
async function sendDecision(
  { noteId }: BatchNote,
  state: NoteState,
  { batch, notes }: Omit<BatchNoteProps, 'note'>,
): Promise<void> {
  await api(notesPath(batch), { method: 'PATCH', body: { state, notes: [noteId] } });
  focusHeading();
  notes.reload();
}

/** Moves the focus to the heading of its card, because the button that has it disappears. */
const focusHeading = () => document.activeElement?.closest('section')?.querySelector('h2')?.focus();

/** Changes the pages that have these notes, as one version. */
async function changePages(
  noteIds: string[],
  decision: { state: NoteState; places?: ColumnPlaces } & Partial<TypedValue>,
  { batch, onVersion }: Omit<BatchNoteProps, 'note'>,
): Promise<void> {
  const body = { ...decision, notes: noteIds };
  const changed = await trackPageChange(
    api<BatchResponse>(notesPath(batch), { method: 'PATCH', body }),
  );
  forgetData();
  onVersion();
  const { resolved } = changed.decision!;
  toast(changeWords(changed.decision!, noteIds.length), resolved === 0 ? 'bad' : 'good');
}

const notesPath = ({ batchId }: BatchResponse) => hostPath`/agent/batches/${batchId}/notes`;

/** What became of the facts, for the person who changed them. */
function changeWords(
  { resolved, remaining, messages }: NonNullable<BatchResponse['decision']>,
  noteCount: number,
) {
  const places = (count: number) =>
    noteCount === 1 ? `on ${countNoun(count, 'page')}` : `in ${countNoun(count, 'place')}`;
  const changedWords = resolved > 0 ? `Changed ${places(resolved)}.` : '';
  if (remaining === 0) return `${changedWords} You can undo this under Versions.`;
  return [changedWords, `Left ${places(remaining)}:`, messages[0] ?? 'edit the page.']
    .join(' ')
    .trim();
}
