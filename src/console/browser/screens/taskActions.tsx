import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { api, post } from '../client/api.ts';
import type { OneSite, PublishCheck, Started, Task } from '../../../contract/answers.ts';
import { forgetData } from '../useData.ts';
import { navigate } from '../router.ts';
import { Button } from '../ui/controls.tsx';
import { confirm } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { mergingAt, publishWords } from '../mergeWords.ts';
import { isOpen } from '../noteWords.ts';
import { FollowUp } from './followUp.tsx';
import { GoesLiveToo } from '../../../browser/goesLiveToo.tsx';
import { isShareable, Share } from './shareDialog.tsx';

export const pagesOf = ({ output }: Task) =>
  output ? [...output.pagesCreated, ...output.pagesModified, ...output.pagesDeleted] : [];

/** Whether the task has pages that can be put live. */
const isUnpublished = (task: Task) =>
  task.status === 'completed' &&
  task.type !== 'publish' &&
  task.type !== 'restore' &&
  pagesOf(task).length > 0 &&
  (task.publication === null || task.publication.isEdited);

interface ActionsProps {
  task: Task;
  reload: () => void;
}

/** The actions that a task's state allows. */
export function TaskActions({ task, reload }: ActionsProps) {
  const [isFollowingUp, setFollowingUp] = useState(false);
  const { taskId, status } = task;
  const [isSharing, setSharing] = useState(false);
  const isRetryable = status === 'failed' && task.type === 'generate_pages';
  const canFollow = status === 'completed' && pagesOf(task).length > 0;
  return (
    <>
      {status === 'running' && <Button onClick={() => cancel(taskId, reload)}>Cancel</Button>}
      {isRetryable && (
        <Button look="primary" onClick={() => retry(taskId)}>
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
        <Button look="primary" onClick={() => askToPublish(task)}>
          {task.publication ? 'Publish the edits' : 'Publish'}
        </Button>
      )}
      {isFollowingUp && <FollowUp task={task} close={() => setFollowingUp(false)} />}
      {isSharing && isShareable(task) && <Share task={task} close={() => setSharing(false)} />}
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

const toCheck = (notes: number) =>
  `There ${notes === 1 ? 'is 1 thing' : `are ${notes} things`} to check.`;

const stillThere = (dropped: number) =>
  dropped === 1
    ? '1 thing that you dropped is still on these pages: the task that drops it has the pages without.'
    : `${dropped} things that you dropped are still on these pages: the task that drops them has the pages without.`;

async function askToPublish(task: Task): Promise<void> {
  const [check, { host }] = await Promise.all([
    api<PublishCheck>(path`/agent/tasks/${task.taskId}/publish`),
    api<OneSite>(path`/sites/${task.siteId}`),
  ]);
  const merging = mergingAt(host);
  const all = task.output?.notes ?? [];
  const notes = all.filter(isOpen).length;
  const dropped = all.filter((note) => !isOpen(note) && note.droppedIn !== undefined).length;
  confirm({
    title: 'Put these pages live?',
    text: [
      notes > 0 && toCheck(notes),
      dropped > 0 && stillThere(dropped),
      merging && publishWords[merging],
      'Everyone can see the pages as soon as they are live.',
      notes + dropped === 0 && 'An earlier version of the site can be put live again.',
    ]
      .filter(Boolean)
      .join(' '),
    details: <GoesLiveToo check={check} />,
    submit: 'Publish',
    isDanger: false,
    async onSubmit() {
      const { taskId } = await post<Started>(path`/agent/tasks/${task.taskId}/publish`);
      forgetData();
      navigate(`/tasks/${taskId}`);
    },
  });
}
