import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { post } from '../../client/api.ts';
import type { StartedTaskResponse, Task } from '../../../../contract/responses.ts';
import { navigate } from '../../router.ts';
import { Button } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { FollowUp } from './followUp.tsx';
import { askToPublishTask } from './taskPublish.tsx';
import { isShareable, ShareDialog } from './shareDialog.tsx';

export const changedPagesIn = ({ output }: Task) =>
  output ? [...output.pagesCreated, ...output.pagesModified, ...output.pagesDeleted] : [];

/** Whether the task has pages of its own, which people can review and change. */
export const hasVersions = (task: Task) =>
  task.type !== 'publish' && task.type !== 'restore' && changedPagesIn(task).length > 0;

/** Whether the task has pages that can be put live. */
export const isUnpublished = (task: Task) =>
  task.status === 'completed' &&
  hasVersions(task) &&
  (task.publication === null || task.publication.isEdited);

interface TaskActionsProps {
  task: Task;
  reload: () => void;
}

/** The buttons for a task that its state allows: cancel, retry, share, follow up, publish. */
export function TaskActions({ task, reload }: TaskActionsProps) {
  const [isFollowingUp, setFollowingUp] = useState(false);
  const { taskId, status } = task;
  const [isSharing, setSharing] = useState(false);
  const isRetryable = status === 'failed' && task.type === 'generate_pages';
  const canFollow = status === 'completed' && changedPagesIn(task).length > 0;
  return (
    <>
      {status === 'running' && (
        <Button onClick={() => askToCancelTask(taskId, reload)}>Cancel</Button>
      )}
      {isRetryable && (
        <Button look="primary" onClick={() => retryTaskAndOpen(taskId)}>
          Retry failed
        </Button>
      )}
      {isShareable(task) && (
        <Button icon="shared" onClick={() => setSharing(true)}>
          Share
        </Button>
      )}
      {canFollow && <Button onClick={() => setFollowingUp(true)}>Follow up</Button>}
      {isUnpublished(task) && (
        // the last step of the review of several pages has the primary one
        <Button
          {...(changedPagesIn(task).length === 1 && { look: 'primary' as const })}
          onClick={() => askToPublishTask(task)}
        >
          {task.publication ? 'Publish the edits' : 'Publish'}
        </Button>
      )}
      {isFollowingUp && <FollowUp task={task} close={() => setFollowingUp(false)} />}
      {isSharing && isShareable(task) && (
        <ShareDialog shared={{ taskId }} close={() => setSharing(false)} />
      )}
    </>
  );
}

function askToCancelTask(taskId: string, reload: () => void): void {
  askToConfirm({
    title: 'Cancel this task?',
    text: 'What the task has written so far is discarded. The live site does not change.',
    submit: 'Cancel the task',
    async onSubmit() {
      await post(hostPath`/agent/tasks/${taskId}/cancel`);
      reload();
      toast('The task is being cancelled');
    },
  });
}

async function retryTaskAndOpen(taskId: string): Promise<void> {
  const startedTask = await post<StartedTaskResponse>(hostPath`/agent/tasks/${taskId}/retry`);
  navigate(`/tasks/${startedTask.taskId}`);
}
