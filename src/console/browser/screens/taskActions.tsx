import { path } from '../../../editor/public/path.js';
import { useState } from 'preact/hooks';
import { api, post } from '../client/api.ts';
import type { Started, Task } from '../client/types.ts';
import { forgetData } from '../data.ts';
import { navigate } from '../router.ts';
import { Button } from '../ui/controls.tsx';
import { confirm } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { FollowUp } from './followUp.tsx';
import { isShareable, Share } from './share.tsx';

const pagesOf = ({ output }: Task) =>
  output ? [...output.pagesCreated, ...output.pagesModified, ...output.pagesDeleted] : [];

/** Whether the task has something that is not live yet. */
export const isUnpublished = (task: Task) =>
  task.status === 'completed' &&
  task.type !== 'publish' &&
  task.type !== 'restore' &&
  pagesOf(task).length > 0 &&
  pagesOf(task).every(({ publishedUrl }) => !publishedUrl);

interface ActionsProps {
  task: Task;
  reload: () => void;
  little?: boolean;
}

/** What can be done with a task in its state. */
export function TaskActions({ task, reload, little = false }: ActionsProps) {
  const [open, setOpen] = useState<'follow-up' | 'share'>();
  const close = () => setOpen(undefined);
  const { taskId, status, siteId } = task;
  const isRetryable = status === 'failed' && (task.type === undefined || task.type === 'generate_pages');
  const canFollow = status === 'completed' && siteId !== undefined && pagesOf(task).length > 0;
  return (
    <>
      {status === 'running' && (
        <Button little={little} onClick={() => cancel(taskId, reload)}>
          Cancel
        </Button>
      )}
      {isRetryable && (
        <Button little={little} look="primary" onClick={() => retry(taskId)}>
          Retry failed
        </Button>
      )}
      {isShareable(task) && (
        <Button little={little} icon="shared" onClick={() => setOpen('share')}>
          Share
        </Button>
      )}
      {canFollow && (
        <Button little={little} onClick={() => setOpen('follow-up')}>
          Follow up
        </Button>
      )}
      {isUnpublished(task) && (
        <Button little={little} look={little ? '' : 'primary'} onClick={() => askToPublish(task)}>
          Publish
        </Button>
      )}
      {open === 'follow-up' && <FollowUp task={task} close={close} />}
      {open === 'share' && <Share task={task} close={close} />}
    </>
  );
}

function cancel(taskId: string, reload: () => void): void {
  confirm({
    title: 'Cancel this task?',
    text: 'What it wrote so far is dropped. The live site stays as it is.',
    submit: 'Cancel the task',
    async onSubmit() {
      await post(path`/agent/tasks/${taskId}/cancel`);
      reload();
      toast('The task ends');
    },
  });
}

async function retry(taskId: string): Promise<void> {
  const started = await post<Started>(path`/agent/tasks/${taskId}/retry`);
  navigate(`/tasks/${started.taskId}`);
}

function askToPublish(task: Task): void {
  const notes = task.output?.notes?.length ?? 0;
  confirm({
    title: 'Put these pages live?',
    text: notes
      ? `There ${notes === 1 ? 'is 1 thing' : `are ${notes} things`} to check. Everyone can see the pages as soon as they are live.`
      : 'Everyone can see the pages as soon as they are live. An earlier version of the site can be put live again.',
    submit: 'Publish',
    isDanger: false,
    async onSubmit() {
      const { taskId } = await post<Started>(path`/agent/tasks/${task.taskId}/publish`);
      forgetData();
      navigate(`/tasks/${taskId}`);
    },
  });
}

/** Publishes every task of a batch that has something to publish. */
export function PublishAll({ taskIds }: { taskIds: string[] }) {
  const publish = () =>
    confirm({
      title: 'Put the pages of all these tasks live?',
      text: 'Everyone can see the pages as soon as they are live. Tasks that failed are left out.',
      submit: 'Publish all',
      isDanger: false,
      async onSubmit() {
        const tasks = await Promise.all(taskIds.map((taskId) => api<Task>(path`/agent/tasks/${taskId}`)));
        const begun: string[] = [];
        for (const { taskId } of tasks.filter(isUnpublished))
          begun.push((await post<Started>(path`/agent/tasks/${taskId}/publish`)).taskId);
        if (begun.length === 0) toast('Nothing here can be published now', 'bad');
        else navigate(`/tasks/${begun.join(',')}`);
      },
    });
  return (
    <Button look="primary" onClick={publish}>
      Publish all
    </Button>
  );
}
