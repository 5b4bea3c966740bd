import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { post } from '../../client/api.ts';
import { errorText } from '../../../../browser/sendRequest.ts';
import type { TaskCheckResponse, CheckedNote } from '../../../../contract/responses.ts';
import type { TriedChanges } from '../../../../contract/checks.ts';
import { changedWords } from '../../words/promptWords.ts';
import { useTyped } from '../../useTyped.ts';
import { Field } from '../../ui/controls.tsx';
import { Notice } from '../../ui/states.tsx';

const TYPED_MS = 500;

interface PromptRequest {
  siteId: string;
  prompt: string;
  baseTaskId?: string | undefined;
}

interface PromptCheckResult {
  checked?: TaskCheckResponse;
  error?: unknown;
}
type PromptCheckState = PromptCheckResult & { asked: string | undefined };

/** Asks the service what instructions would change, half a second after the last key press. */
function usePromptCheck(request: PromptRequest): PromptCheckResult & { isChecking: boolean } {
  const prompt = request.prompt.trim();
  const requestBody = { ...request, prompt };
  const requestKey = prompt === '' ? undefined : JSON.stringify(requestBody);
  const [state, setState] = useState<PromptCheckState>();
  useTyped(requestKey, TYPED_MS, (signal) => {
    const showResult = (checkResult: PromptCheckResult) =>
      signal.aborted || setState({ asked: requestKey, ...checkResult });
    post<TaskCheckResponse>(hostPath`/agent/tasks/check`, requestBody, { signal })
      .then((checked) => showResult({ checked }))
      .catch((error: unknown) => showResult({ error }));
  });
  if (requestKey === undefined) return { isChecking: false };
  return state?.asked === requestKey ? { ...state, isChecking: false } : { isChecking: true };
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
        {(fieldAttributes) => (
          <textarea
            {...fieldAttributes}
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
        <p class="muted small">The instructions could not be checked: {errorText(error)}</p>
      )}
      {checked?.problems.map((problem) => (
        <Notice key={problem.message} kind="warn">
          <p>{problem.message}</p>
        </Notice>
      ))}
      {checked?.changes && (
        <PromptChangeList changes={checked.changes} notes={checked.notes ?? []} />
      )}
    </div>
  );
}

const FIRST_NOTES = 4;

const PromptChangeList = ({ changes, notes }: { changes: TriedChanges; notes: CheckedNote[] }) => (
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
