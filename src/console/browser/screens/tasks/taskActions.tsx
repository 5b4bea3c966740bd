import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { api, post } from '../../client/api.ts';
import type {
  SiteResponse,
  PublishCheckResponse,
  StartedTaskResponse,
  Task,
} from '../../../../contract/responses.ts';
import { forgetData } from '../../useData.ts';
import { navigate } from '../../router.ts';
import { pageNames } from '../../../../browser/counts.ts';
import { Button, type SelectChoice, SelectField } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { mergeModeAt, publishWords } from '../../words/mergeWords.ts';
import { isOpenNote } from '../../words/noteWords.ts';
import { FollowUp } from './followUp.tsx';
import { GoesLiveToo } from '../../../../browser/alsoPublished.tsx';
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
        <Button look="primary" onClick={() => askToPublishTask(task)}>
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

const notesToCheckWords = (noteCount: number) =>
  `There ${noteCount === 1 ? 'is 1 thing' : `are ${noteCount} things`} to check.`;

async function askToPublishTask(task: Task): Promise<void> {
  const [check, { host }] = await Promise.all([
    api<PublishCheckResponse>(hostPath`/agent/tasks/${task.taskId}/publish`),
    api<SiteResponse>(hostPath`/sites/${task.siteId}`),
  ]);
  const mergeMode = mergeModeAt(host);
  const openCount = (task.output?.notes ?? []).filter(isOpenNote).length;
  const { conflicts } = check;
  let winner: ConflictWinner = 'own';
  askToConfirm({
    title: 'Put these pages live?',
    text: [
      openCount > 0 && notesToCheckWords(openCount),
      mergeMode && publishWords[mergeMode],
      'Everyone can see the pages as soon as they are live.',
      openCount === 0 && 'An earlier version of the site can be put live again.',
    ]
      .filter(Boolean)
      .join(' '),
    details: (
      <>
        <GoesLiveToo check={check} />
        {conflicts.length > 0 && (
          <ConflictChoice conflicts={conflicts} onChoose={(chosen) => (winner = chosen)} />
        )}
      </>
    ),
    submit: 'Publish',
    isDanger: false,
    async onSubmit() {
      for (const updatedId of new Set(conflicts.map((conflict) => conflict.taskId)))
        await post(hostPath`/agent/tasks/${updatedId}/versions/update`, { conflicts: winner });
      const { taskId } = await post<StartedTaskResponse>(
        hostPath`/agent/tasks/${task.taskId}/publish`,
      );
      forgetData();
      navigate(`/tasks/${taskId}`);
    },
  });
}

type ConflictWinner = 'own' | 'other';
const winnerChoices: SelectChoice<ConflictWinner>[] = [
  ['own', 'The pages of this task'],
  ['other', 'The pages as others changed them'],
];

/** Asks whose version of a page goes live, if others changed it since the task began. */
function ConflictChoice({
  conflicts,
  onChoose,
}: {
  conflicts: PublishCheckResponse['conflicts'];
  onChoose: (winner: ConflictWinner) => void;
}) {
  const [winner, setWinner] = useState<ConflictWinner>('own');
  const choose = (chosen: ConflictWinner) => {
    setWinner(chosen);
    onChoose(chosen);
  };
  return (
    <>
      {conflicts.map(({ taskId, baseTaskId, pages }) => (
        <p key={`${taskId} ${baseTaskId}`}>
          {baseTaskId ? (
            <>
              The <a href={`/tasks/${baseTaskId}`}>task that this one builds on</a> has changed
              since:{' '}
            </>
          ) : (
            'Changed on the live site since: '
          )}
          {pageNames(pages)}
        </p>
      ))}
      <SelectField
        label="Which version goes live"
        value={winner}
        onChange={choose}
        choices={winnerChoices}
      />
    </>
  );
}
