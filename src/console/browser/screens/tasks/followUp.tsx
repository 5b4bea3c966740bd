import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { post } from '../../client/api.ts';
import type { StartedTaskResponse, Task } from '../../../../contract/responses.ts';
import { navigate } from '../../router.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PromptField } from '../newTask/promptField.tsx';

/**
 * Starts a task that builds on another one: it changes that task's result, and publishing it
 * publishes both.
 */
export function FollowUp({ task, close }: { task: Task; close: () => void }) {
  const [prompt, setPrompt] = useState('');
  const request = { siteId: task.siteId, prompt, baseTaskId: task.taskId };
  const startTask = async () => {
    const { taskId } = await post<StartedTaskResponse>(hostPath`/agent/tasks`, request);
    close();
    navigate(`/tasks/${taskId}`);
  };
  return (
    <Dialog
      wide
      title="Follow up"
      submit="Start"
      onClose={close}
      onSubmit={startTask}
      disabled={!prompt.trim()}
    >
      <p class="muted">
        A new task changes the pages of this task. Publishing it publishes the changes of both.
      </p>
      <PromptField
        request={request}
        onPrompt={setPrompt}
        box={{
          autoFocus: true,
          placeholder: 'Change the headline of /locations/lisbon to "Web design by the Tagus"',
        }}
      />
    </Dialog>
  );
}
