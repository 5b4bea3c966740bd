import { path } from '../../../browser/path.ts';
import { useIsAtLeast } from '../client/session.ts';
import type { Site, Task, TaskRun, Used } from '../../../contract/answers.ts';
import { type Data, useAnswer, useSites } from '../useData.ts';
import { Page } from '../ui/page.tsx';
import { Loaded, Problem } from '../ui/states.tsx';
import { wordsOf } from '../../../browser/http.ts';
import { Button, ButtonLink, Out } from '../ui/controls.tsx';
import { Time } from '../ui/time.tsx';
import { usedBy } from '../usageWords.ts';
import { calledBy, makerOf, typeNames } from '../taskWords.ts';
import { OneWidth } from './pageFrame.tsx';
import { Progress } from './progress.tsx';
import { pagesOf, TaskActions } from './taskActions.tsx';
import { Diffs } from './diffs.tsx';
import { Asked, questionOf } from './question.tsx';
import { Result } from './taskResult.tsx';
import { TaskState } from './tasks.tsx';
import { useFollowers, useTask } from './useTask.ts';
import { ListTable, MainCell, TimeCell } from '../ui/table.tsx';

function useSiteOf(task: Task | undefined): Site | undefined {
  const sites = useSites();
  return sites.data?.find(({ siteId }) => siteId === task?.siteId);
}

export function TaskScreen({ taskId }: { taskId: string }) {
  const followed = useTask(taskId);
  const site = useSiteOf(followed.data);
  return (
    <Loaded of={followed} lines={6}>
      {(task) => (
        <Page
          full
          title={calledBy(task.title, task.restores)}
          crumbs={[['/tasks', 'Tasks']]}
          facts={<Facts task={task} site={site} />}
          actions={<TaskActions task={task} reload={followed.reload} />}
        >
          <OneWidth>
            <Body followed={followed} task={task} site={site} />
          </OneWidth>
          {task.status === 'completed' && <Diffs taskId={taskId} />}
          <Followers task={task} />
        </Page>
      )}
    </Loaded>
  );
}

const statedOf = (task: Task) => ({
  ...task,
  pages: pagesOf(task).length,
  asks: questionOf(task) !== undefined,
});

const followsWords = (type: Task['type']) =>
  type === 'publish' ? 'Publishes another task' : 'Follows another task';

const Facts = ({ task, site }: { task: Task; site: Site | undefined }) => (
  <>
    <TaskState task={statedOf(task)} />
    <span>{typeNames[task.type]}</span>
    {site && <a href={`/sites/${site.siteId}`}>{site.name}</a>}
    {makerOf(task.createdBy) && <span>By {makerOf(task.createdBy)}</span>}
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

/** Links to the run in Temporal's web UI, for admins, if the operator gives its address. */
function RunLink({ taskId }: { taskId: string }) {
  const { data } = useAnswer<TaskRun>(path`/agent/tasks/${taskId}/run`);
  return data?.runUrl ? <Out href={data.runUrl}>Technical run log</Out> : null;
}

interface BodyProps {
  followed: Data<Task>;
  task: Task;
  site: Site | undefined;
}

function Body({ followed: { error, reload }, task, site }: BodyProps) {
  const usage = usageOf(task);
  const question = questionOf(task);
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
          {wordsOf(error)}
        </Problem>
      )}
      {question && (
        <Asked key={question.questionId} taskId={task.taskId} question={question} reload={reload} />
      )}
      {task.status === 'running' && (!question || question.pages) && <Progress task={task} />}
      {task.status === 'failed' && (
        <Problem
          actions={
            task.type === 'prompt' && (
              <ButtonLink
                little
                href={`/sites/${task.siteId}/new-task?kind=instructions&from=${task.taskId}`}
              >
                Say it in other words
              </ButtonLink>
            )
          }
        >
          {task.errorMessage}
        </Problem>
      )}
      {task.status === 'completed' && (
        <Result task={task} output={task.output} site={site} reload={reload} />
      )}
      {usage && <p class="muted small">{usedBy(usage)}</p>}
    </>
  );
}

function usageOf(task: Task): Used | undefined {
  if (task.status === 'failed') return task.usage;
  return task.output?.usage;
}

/** Lists the tasks that publish, retry or build on this one. */
function Followers({ task }: { task: Task }) {
  const followers = useFollowers(task);
  if (followers.length === 0) return null;
  return (
    <section class="card" aria-label="What came out of it">
      <div class="card-head">
        <h2>What came out of it</h2>
      </div>
      <ListTable isLinked isHeadless columns={['Task', 'State', 'When']}>
        {followers.map((each) => (
          <tr key={each.taskId}>
            <MainCell href={`/tasks/${each.taskId}`} title={calledBy(each.title, each.restores)}>
              {typeNames[each.type]}
              {makerOf(each.createdBy) && ` · ${makerOf(each.createdBy)}`}
            </MainCell>
            <td>
              <TaskState task={each} />
            </td>
            <TimeCell at={each.createdAt} />
          </tr>
        ))}
      </ListTable>
    </section>
  );
}
