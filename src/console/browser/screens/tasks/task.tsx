import { useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import { useIsAtLeast } from '../../client/session.ts';
import type {
  SiteSummary,
  Task,
  TaskRun,
  TaskUsageResponse,
} from '../../../../contract/responses.ts';
import { type LoadedData, useAnswer, useSites } from '../../useData.ts';
import { ApprovalPanel } from '../../ui/approvalPanel.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded, Problem } from '../../ui/states.tsx';
import { errorText } from '../../../../browser/sendRequest.ts';
import { Button, ButtonLink, OutsideLink } from '../../ui/controls.tsx';
import { Time } from '../../ui/time.tsx';
import { taskUsageWords } from '../../words/usageWords.ts';
import { displayName, creatorName, typeNames } from '../../words/taskWords.ts';
import { PageReviewSection } from '../reviews/pageReview.tsx';
import { usePageReview } from '../reviews/usePageReview.ts';
import { SharedWidth } from '../../ui/pageFrame.tsx';
import { TaskProgressCard } from './taskProgress.tsx';
import { changedPagesIn, hasVersions, isUnpublished, TaskActions } from './taskActions.tsx';
import { Diffs } from './diffs.tsx';
import { QuestionCard, questionOfTask } from './question.tsx';
import { TaskResultCards } from './taskResult.tsx';
import { TaskPublishStep } from './taskPublish.tsx';
import { TaskStateBadge } from './tasks.tsx';
import { useFollowers, useTask } from './useTask.ts';
import { Versions } from './versions.tsx';
import { ListTable, MainCell, TimeCell } from '../../ui/table.tsx';

function useSiteOf(task: Task | undefined): SiteSummary | undefined {
  const sites = useSites();
  return sites.data?.find(({ siteId }) => siteId === task?.siteId);
}

/**
 * The screen of a task. While the task runs, it shows the progress (taskProgress.tsx) and an open
 * question (question.tsx). Afterwards, it shows the result: a card for each page (taskResult.tsx)
 * with its preview and its notes (taskNotes.tsx: what a person should check), the changes
 * (diffs.tsx), and the actions that are possible (taskActions.tsx), such as publishing.
 */
export function TaskScreen({ taskId }: { taskId: string }) {
  const loadedTask = useTask(taskId);
  const site = useSiteOf(loadedTask.data);
  const [round, setRound] = useState(0);
  const reload = () => {
    setRound((roundBefore) => roundBefore + 1);
    loadedTask.reload();
  };
  return (
    <Loaded of={loadedTask} lines={6} isScreen>
      {(task) => (
        <Page
          full
          title={displayName(task.title, task.restores)}
          crumbs={[['/tasks', 'Tasks']]}
          facts={<TaskFactsLine task={task} site={site} />}
          actions={<TaskActions task={task} reload={reload} />}
        >
          <SharedWidth>
            <TaskBody followed={{ ...loadedTask, reload }} task={task} site={site} />
          </SharedWidth>
          {task.status === 'completed' && (
            <Diffs
              key={taskId}
              taskId={taskId}
              round={round}
              isOpenAtFirst={changedPagesIn(task).length === 1}
            />
          )}
          <Followers task={task} />
        </Page>
      )}
    </Loaded>
  );
}

const taskStateFields = (task: Task) => ({
  ...task,
  pages: changedPagesIn(task).length,
  asks: questionOfTask(task) !== undefined,
});

const followsWords = (type: Task['type']) =>
  type === 'publish' ? 'Publishes another task' : 'Follows another task';

const TaskFactsLine = ({ task, site }: { task: Task; site: SiteSummary | undefined }) => (
  <>
    <TaskStateBadge task={taskStateFields(task)} />
    <span>{typeNames[task.type]}</span>
    {site && <a href={`/sites/${site.siteId}`}>{site.name}</a>}
    {creatorName(task.createdBy) && <span>By {creatorName(task.createdBy)}</span>}
    <Time at={task.createdAt} />
    {task.follows && <a href={`/tasks/${task.follows}`}>{followsWords(task.type)}</a>}
    <LiveLinks task={task} />
    {useIsAtLeast('admin') && <RunLink taskId={task.taskId} />}
  </>
);

/** Links to the task that put this task's pages live, and to the one that replaced them. */
function LiveLinks({ task: { taskId, publication } }: { task: Task }) {
  if (!publication) return null;
  const { publishedBy, publishedAt, replacedBy } = publication;
  return (
    <>
      {publishedBy !== taskId && (
        <a href={`/tasks/${publishedBy}`}>
          Published <Time at={publishedAt} />
        </a>
      )}
      {replacedBy && <a href={`/tasks/${replacedBy}`}>Replaced by another task</a>}
    </>
  );
}

/** Links to the run in Temporal's web UI, for admins, if the operator has set its URL. */
function RunLink({ taskId }: { taskId: string }) {
  const { data } = useAnswer<TaskRun>(hostPath`/agent/tasks/${taskId}/run`);
  return data?.runUrl ? <OutsideLink href={data.runUrl}>Technical run log</OutsideLink> : null;
}

interface TaskBodyProps {
  followed: LoadedData<Task>;
  task: Task;
  site: SiteSummary | undefined;
}

function TaskBody({ followed: { error, reload }, task, site }: TaskBodyProps) {
  const [round, setRound] = useState(0);
  const onVersion = () => {
    setRound(round + 1);
    reload();
  };
  const taskUsage = usageOfTask(task);
  const question = questionOfTask(task);
  return (
    <>
      {error !== undefined && (
        <Problem
          actions={
            <Button little onClick={reload}>
              Try again
            </Button>
          }
        >
          {errorText(error)}
        </Problem>
      )}
      {question && (
        <QuestionCard
          key={question.questionId}
          taskId={task.taskId}
          question={question}
          reload={reload}
        />
      )}
      {task.status === 'running' && (!question || question.pages) && (
        <TaskProgressCard task={task} />
      )}
      {task.status === 'failed' && (
        <Problem actions={<FailureActions task={task} />}>{task.errorMessage}</Problem>
      )}
      {site?.publishApproval === 'another-person' && isUnpublished(task) && (
        <ApprovalPanel
          key={`${round} ${task.publication?.isEdited}`}
          path={hostPath`/agent/tasks/${task.taskId}/approvals`}
        />
      )}
      {task.status === 'completed' && hasVersions(task) && <TaskReview key={round} task={task} />}
      {task.status === 'completed' && (
        <TaskResultCards
          task={task}
          output={task.output}
          site={site}
          reload={reload}
          round={round}
          onVersion={onVersion}
        />
      )}
      {hasVersions(task) && (
        <Versions key={round} paths={versionPathsOf(task)} onChange={onVersion} />
      )}
      {taskUsage && <p class="muted small">{taskUsageWords(taskUsage)}</p>}
    </>
  );
}

/** The pages to look at, and the publish of those that nobody leaves out. */
function TaskReview({ task }: { task: Task }) {
  const { taskId, output } = task;
  const review = usePageReview(hostPath`/agent/tasks/${taskId}/reviews`);
  const canPublish = isUnpublished(task) && changedPagesIn(task).length > 1;
  const canLeaveOut = canPublish && output?.pagesDeleted.length === 0;
  return (
    <PageReviewSection taskId={taskId} review={review} canLeaveOut={canLeaveOut}>
      {canPublish && <TaskPublishStep task={task} review={review} />}
    </PageReviewSection>
  );
}

const versionPathsOf = ({ taskId }: Task) => ({
  list: hostPath`/agent/tasks/${taskId}/versions`,
  undo: hostPath`/agent/tasks/${taskId}/versions/undo`,
});

/** What a person can do about a failure. */
function FailureActions({ task: { taskId, siteId, type, follows } }: { task: Task }) {
  if (type === 'prompt')
    return (
      <ButtonLink little href={`/sites/${siteId}/new-task?kind=instructions&from=${taskId}`}>
        Rephrase the instructions
      </ButtonLink>
    );
  // The dialog that publishes asks which version of a page goes live.
  return type === 'publish' && follows ? (
    <ButtonLink little href={`/tasks/${follows}`}>
      Publish again
    </ButtonLink>
  ) : null;
}

function usageOfTask(task: Task): TaskUsageResponse | undefined {
  if (task.status === 'failed') return task.usage;
  return task.output?.usage;
}

/** Lists the tasks that publish, retry or build on this one. */
function Followers({ task }: { task: Task }) {
  const followers = useFollowers(task);
  if (followers.length === 0) return null;
  return (
    <section class="card" aria-label="Tasks that build on this one">
      <div class="card-head">
        <h2>Tasks that build on this one</h2>
      </div>
      <ListTable isLinked isHeadless columns={['Task', 'State', 'When']}>
        {followers.map((follower) => (
          <tr key={follower.taskId}>
            <MainCell
              href={`/tasks/${follower.taskId}`}
              title={displayName(follower.title, follower.restores)}
            >
              {typeNames[follower.type]}
              {creatorName(follower.createdBy) && ` · ${creatorName(follower.createdBy)}`}
            </MainCell>
            <td>
              <TaskStateBadge task={follower} />
            </td>
            <TimeCell at={follower.createdAt} />
          </tr>
        ))}
      </ListTable>
    </section>
  );
}
