import type { Task } from '../../../contract/answers.ts';
import { Time } from '../ui/time.tsx';
import { calledBy } from '../taskWords.ts';
import { makerOf, typeWords } from '../liveAddress.ts';
import { TaskState } from './tasks.tsx';
import { useFollowers } from './useTask.ts';

/** The tasks that came out of this one. */
export function Followers({ task }: { task: Task }) {
  const { data = [] } = useFollowers(task);
  if (data.length === 0) return null;
  return (
    <section class="card" aria-label="What came out of it">
      <div class="card-head">
        <h2>What came out of it</h2>
      </div>
      <table class="list linked">
        <thead class="unseen">
          <tr>
            <th>Task</th>
            <th>State</th>
            <th>When</th>
          </tr>
        </thead>
        <tbody>
          {data.map((each) => (
            <tr key={each.taskId}>
              <td class="main">
                <a href={`/tasks/${each.taskId}`}>{calledBy(each.title, each.restores)}</a>
                <span class="under">
                  {typeWords(each.type)}
                  {makerOf(each.createdBy) && ` · ${makerOf(each.createdBy)}`}
                </span>
              </td>
              <td>
                <TaskState task={each} />
              </td>
              <td class="muted">
                <Time at={each.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
