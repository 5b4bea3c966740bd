import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import { wordsOf } from '../../../browser/http.ts';
import type { Checked, CheckedNote } from '../../../contract/answers.ts';
import type { TriedChanges } from '../../../contract/check.ts';
import { changedWords } from '../promptWords.ts';
import { useTyped } from '../useTyped.ts';
import { Field } from '../ui/controls.tsx';
import { Notice } from '../ui/states.tsx';

const TYPED_MS = 500;

interface PromptRequest {
  siteId: string;
  prompt: string;
  baseTaskId?: string | undefined;
}

interface Outcome {
  checked?: Checked;
  error?: unknown;
}
type State = Outcome & { asked: string | undefined };

/** Checks what instructions would change, a moment after the last key. Nothing is started. */
function usePromptCheck(request: PromptRequest): Outcome & { isChecking: boolean } {
  const prompt = request.prompt.trim();
  const body = { ...request, prompt };
  const asked = prompt === '' ? undefined : JSON.stringify(body);
  const [state, setState] = useState<State>();
  useTyped(asked, TYPED_MS, (signal) => {
    const show = (found: Outcome) => signal.aborted || setState({ asked, ...found });
    post<Checked>(path`/agent/tasks/check`, body, { signal })
      .then((checked) => show({ checked }))
      .catch((error: unknown) => show({ error }));
  });
  if (asked === undefined) return { isChecking: false };
  return state?.asked === asked ? { ...state, isChecking: false } : { isChecking: true };
}

interface PromptFieldProps {
  request: PromptRequest;
  onPrompt: (prompt: string) => void;
  hint?: string;
  /** Attributes of the textarea. */
  box: { placeholder: string; rows?: number; maxLength?: number; autoFocus?: boolean };
}

/** A textarea for instructions, and below it what they would change. */
export function PromptField({ request, onPrompt, hint, box }: PromptFieldProps) {
  return (
    <>
      <Field label="What shall change?" hint={hint}>
        {(bound) => (
          <textarea
            {...bound}
            {...box}
            value={request.prompt}
            onInput={(event) => onPrompt(event.currentTarget.value)}
          />
        )}
      </Field>
      <PromptCheck request={request} />
    </>
  );
}

/** Says what instructions would change, or why they would fail. */
function PromptCheck({ request }: { request: PromptRequest }) {
  const { checked, error, isChecking } = usePromptCheck(request);
  return (
    <div aria-live="polite" class="stack tight">
      {isChecking && <p class="muted small">Checking…</p>}
      {error !== undefined && (
        <p class="muted small">This could not be checked: {wordsOf(error)}</p>
      )}
      {checked?.problems.map((problem) => (
        <Notice key={problem.message} kind="warn">
          <p>{problem.message}</p>
        </Notice>
      ))}
      {checked?.changes && <Changes changes={checked.changes} notes={checked.notes ?? []} />}
    </div>
  );
}

const FIRST_NOTES = 4;

const Changes = ({ changes, notes }: { changes: TriedChanges; notes: CheckedNote[] }) => (
  <>
    <p class="muted small">{changedWords(changes)}</p>
    {notes.length > 0 && (
      <Notice kind="warn">
        {notes.slice(0, FIRST_NOTES).map(({ text }) => (
          <p key={text}>{text}</p>
        ))}
        {notes.length > FIRST_NOTES && <p>And {notes.length - FIRST_NOTES} more to check.</p>}
      </Notice>
    )}
  </>
);
