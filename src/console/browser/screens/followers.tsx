import type { Task } from '../../../contract/answers.ts';
import { ListTable, MainCell, TimeCell } from '../ui/table.tsx';
import { calledBy, makerOf, typeNames } from '../taskWords.ts';
import { TaskState } from './tasks.tsx';
import { useFollowers } from './useTask.ts';

/** Lists the tasks that publish, retry or build on this one. */
export function Followers({ task }: { task: Task }) {
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
