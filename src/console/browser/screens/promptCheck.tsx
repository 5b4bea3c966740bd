import { path } from '../../../browser/path.ts';
import { useRef, useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import { wordsOf } from '../../../browser/http.ts';
import type { Checked, CheckedNote } from '../../../contract/answers.ts';
import type { CheckProblem, TriedChanges } from '../../../contract/check.ts';
import { changedWords, withInstead } from '../promptWords.ts';
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

interface PromptFieldProps extends CheckProps {
  hint?: string;
  /** Attributes of the textarea. */
  box: { placeholder: string; rows?: number; maxLength?: number; autoFocus?: boolean };
}

/** A textarea for instructions, and below it what they would change. */
export function PromptField({ request, onPrompt, hint, box }: PromptFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // the suggestion's button goes away: the keyboard stays with the text
  const onSuggestion = (prompt: string) => {
    onPrompt(prompt);
    field.current?.focus();
  };
  return (
    <>
      <Field label="What shall change?" hint={hint}>
        {(bound) => (
          <textarea
            {...bound}
            {...box}
            ref={field}
            value={request.prompt}
            onInput={(event) => onPrompt(event.currentTarget.value)}
          />
        )}
      </Field>
      <PromptCheck request={request} onPrompt={onSuggestion} />
    </>
  );
}

interface CheckProps {
  request: PromptRequest;
  onPrompt: (prompt: string) => void;
}

/** Says what instructions would change, or which part is not understood, with suggestions. */
function PromptCheck({ request, onPrompt }: CheckProps) {
  const { checked, error, isChecking } = usePromptCheck(request);
  const use = (problem: CheckProblem) => (suggestion: string) =>
    onPrompt(withInstead(request.prompt, problem, suggestion));
  return (
    <div aria-live="polite" class="stack tight">
      {isChecking && <p class="muted small">Checking…</p>}
      {error !== undefined && (
        <p class="muted small">This could not be checked: {wordsOf(error)}</p>
      )}
      {checked?.problems.map((problem) => (
        <Refused key={problem.message} problem={problem} use={use(problem)} />
      ))}
      {checked?.changes && <Changes changes={checked.changes} notes={checked.notes ?? []} />}
    </div>
  );
}

function Refused({ problem, use }: { problem: CheckProblem; use: (suggestion: string) => void }) {
  const { message, suggestions = [] } = problem;
  return (
    <Notice kind="warn">
      <p>{message}</p>
      {suggestions.length > 0 && (
        <div class="stack tight" role="group" aria-label="Did you mean …">
          <span class="legend">Did you mean …</span>
          <div class="examples">
            {suggestions.map((suggestion) => (
              <button key={suggestion} type="button" onClick={() => use(suggestion)}>
                {suggestion}
              </button>
            ))}
          </div>
        </div>
      )}
    </Notice>
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
