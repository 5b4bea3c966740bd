import { countNoun } from '../../../../browser/counts.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import { noteStateLabel } from '../../../../browser/stateLabels.ts';
import type { BatchNote, BatchResponse } from '../../../../contract/responses.ts';
import type { NoteState } from '../../../../contract/notes/noteStates.ts';
import { api } from '../../client/api.ts';
import { useState } from 'preact/hooks';
import {
  capitalize,
  isDroppableKind,
  isRequestedChange,
  isTypeableNote,
} from '../../words/noteWords.ts';
import { forgetData, type LoadedList, useList } from '../../useData.ts';
import { Button, OutsideLink } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { toast } from '../../ui/toasts.tsx';
import { trackPageChange } from '../reviews/pageChanges.ts';
import { RequestedChanges } from '../tasks/requestedChanges.tsx';
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
  const listedNotes = notes.data ?? [];
  if (listedNotes.length === 0) return null;
  const openNotes = listedNotes.filter(({ open }) => open > 0);
  const requestedNotes = listedNotes.filter(isRequestedChange);
  const decidedNotes = listedNotes.filter((note) => note.open === 0 && !isRequestedChange(note));
  const props = { batch, notes, onVersion };
  return (
    <section class="card padded stack" aria-label="Notes">
      <h2 tabIndex={-1}>
        {openNotes.length > 0
          ? `Decide: ${countNoun(openNotes.length, 'note')}${notes.more ? ' or more' : ''}`
          : decidedNotes.length > 0
            ? 'All notes are decided'
            : 'Nothing to decide'}
      </h2>
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
  const { open, pages, values } = note;
  const [isTyping, setTyping] = useState(false);
  const text = capitalize(note.text);
  const decide = (state: NoteState) => () => sendDecision(note, { state }, props);
  const closeTyping = () => setTyping(false);
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
                {previewUrl && <OutsideLink href={previewUrl}>Preview</OutsideLink>}
                {editUrl && <OutsideLink href={editUrl}>Edit</OutsideLink>}
              </li>
            ))}
          </ul>
        </details>
      </div>
      <div class="row">
        {isDroppableKind(note.kind) && (
          <Button little onClick={decide('dropped')} label={`Remove${scope}: ${text}`}>
            Remove{scope}
          </Button>
        )}
        {isTypeableNote(note) && (
          <Button little onClick={() => setTyping(true)} label={`Type one for all: ${text}`}>
            Type one for all
          </Button>
        )}
        <Button little onClick={decide('kept')} label={`Keep${scope}: ${text}`}>
          Keep{scope}
        </Button>
        <Button little onClick={decide('done')} label={`Fixed${scope}: ${text}`}>
          Fixed{scope}
        </Button>
      </div>
      {isTyping && (
        <TypeDialog
          noteText={text}
          values={values}
          close={closeTyping}
          onType={async (typed) => {
            await sendDecision(note, { state: 'done', ...typed }, props);
            closeTyping();
          }}
        />
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
        onClick={() => sendDecision(note, { state: 'open' }, props)}
        label={`Undo: ${capitalize(note.text)}`}
      >
        Undo
      </Button>
    )}
  </li>
);

/** Decides on a note on all pages that have it. The focus goes to the heading of the card. */
async function sendDecision(
  { noteId }: BatchNote,
  decision: { state: NoteState } & Partial<TypedValue>,
  { batch: { batchId }, notes, onVersion }: Omit<BatchNoteProps, 'note'>,
): Promise<void> {
  const heading = document.activeElement?.closest('section')?.querySelector('h2');
  const path = hostPath`/agent/batches/${batchId}/notes`;
  const body = { ...decision, notes: [noteId] };
  const changesPages = decision.state === 'dropped' || decision.text !== undefined;
  const request = api<BatchResponse>(path, { method: 'PATCH', body });
  const changed = await (changesPages ? trackPageChange(request) : request);
  heading?.focus();
  if (!changesPages) return notes.reload();
  forgetData();
  onVersion();
  toast(changeWords(changed.decision!), changed.decision!.resolved === 0 ? 'bad' : 'good');
}

/** What became of the facts, for the person who changed them. */
function changeWords({ resolved, remaining, messages }: NonNullable<BatchResponse['decision']>) {
  const changedWords = resolved > 0 ? `Changed on ${countNoun(resolved, 'page')}.` : '';
  if (remaining === 0) return `${changedWords} You can undo this under Versions.`;
  return [changedWords, `Left on ${countNoun(remaining, 'page')}:`, messages[0] ?? 'edit the page.']
    .join(' ')
    .trim();
}
