import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import type { Started, Task } from '../../../contract/answers.ts';
import { navigate } from '../router.ts';
import { Field } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PromptCheck } from './promptCheck.tsx';

/** A task on top of another: it changes that one's result, and publishing it publishes both. */
export function FollowUp({
  task,
  prompt: first = '',
  close,
}: {
  task: Task;
  prompt?: string;
  close: () => void;
}) {
  const [prompt, setPrompt] = useState(first);
  const start = async () => {
    const { taskId } = await post<Started>(path`/agent/tasks`, {
      siteId: task.siteId,
      prompt,
      baseTaskId: task.taskId,
    });
    close();
    navigate(`/tasks/${taskId}`);
  };
  return (
    <Dialog
      wide
      title="Follow up"
      submit="Start"
      onClose={close}
      onSubmit={start}
      disabled={!prompt.trim()}
    >
      <p class="muted">A new task changes the pages of this one. Publishing it publishes both.</p>
      <Field label="What shall change?">
        {(bound) => (
          <textarea
            {...bound}
            autoFocus
            value={prompt}
            placeholder='Change the headline of /locations/lisbon to "Web design by the Tagus"'
            onInput={(event) => setPrompt(event.currentTarget.value)}
          />
        )}
      </Field>
      {task.siteId && (
        <PromptCheck
          siteId={task.siteId}
          prompt={prompt}
          baseTaskId={task.taskId}
          onPrompt={setPrompt}
        />
      )}
    </Dialog>
  );
}
