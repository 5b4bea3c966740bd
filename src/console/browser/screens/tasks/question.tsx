import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { post } from '../../client/api.ts';
import { useIsAtLeast } from '../../client/session.ts';
import type { Task } from '../../../../contract/responses.ts';
import type { Question } from '../../../../contract/task.ts';
import { Button, Field } from '../../ui/controls.tsx';
import { useWork } from '../../ui/form.ts';
import { ProblemOf } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

const ANSWER_LENGTH = 4_000;

interface QuestionProps {
  taskId: string;
  question: Question;
  reload: () => void;
}

/** The open question of a running task; undefined if it has none. */
export function questionOfTask({ progress }: Pick<Task, 'progress'>): Question | undefined {
  const waitingFor = progress?.waitingFor;
  return waitingFor && 'question' in waitingFor ? waitingFor : undefined;
}

/** Shows the open question of a task. Everybody who may create tasks can answer it. */
export function QuestionCard({
  taskId,
  question: { questionId, question, pages = [], ...questionDetails },
  reload,
}: QuestionProps) {
  const [text, setText] = useState('');
  const { busy, error, run } = useWork();
  const mayAnswer = useIsAtLeast('member');
  const sendAnswer = (answerText: string) =>
    run(async () => {
      await post(hostPath`/agent/tasks/${taskId}/answer`, { answer: answerText, questionId });
      reload();
    });
  return (
    <section class="card padded stack" aria-label="Question">
      <div class="row spread">
        <h2>The task asks</h2>
        <span class="muted small">
          <Time at={questionDetails.since} />
        </span>
      </div>
      {pages.length > 0 && <p class="muted small">About {pages.join(', ')}</p>}
      <p class="lines">{question}</p>
      {mayAnswer ? (
        <>
          {questionDetails.options.length > 0 && (
            <div class="row" role="group" aria-label="Answers">
              {questionDetails.options.map((option) => (
                <Button key={option} busy={busy} onClick={() => sendAnswer(option)}>
                  {option}
                </Button>
              ))}
            </div>
          )}
          <Field label={questionDetails.options.length > 0 ? 'Or another answer' : 'Your answer'}>
            {(fieldAttributes) => (
              <textarea
                {...fieldAttributes}
                rows={3}
                maxLength={ANSWER_LENGTH}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
          <ProblemOf error={error} />
          <div class="row">
            <Button
              look="primary"
              busy={busy}
              disabled={!text.trim()}
              onClick={() => sendAnswer(text)}
            >
              Answer
            </Button>
            <span class="muted small">
              The task waits 7 days for an answer. Then it continues without one.
            </span>
          </div>
        </>
      ) : (
        <p class="muted small">Members, admins and owners can answer the question.</p>
      )}
    </section>
  );
}
