import type { GuestComments } from '../../contract/reviews/guestComments.ts';
import type { Note, TaskOutput } from '../../contract/task.ts';
import type { TaskService } from '../../temporal/tasks/taskService.ts';

/**
 * Adds the comments of guests to the notes of completed tasks. A task's own notes are in its
 * workflow, which never changes after its end.
 */
export function addGuestNotes<Tasks extends Pick<TaskService, 'find' | 'read' | 'follow'>>(
  tasks: Tasks,
  comments: Pick<GuestComments, 'of'>,
): Tasks {
  const notesOf = async (taskId: string) => (await comments.of(taskId)).map(({ note }) => note);
  const find: TaskService['find'] = async (organizationId, taskId) => {
    const task = await tasks.find(organizationId, taskId);
    if (task.finished?.status !== 'completed') return task;
    return { ...task, finished: withNotes(task.finished, await notesOf(taskId)) };
  };
  const read: TaskService['read'] = async (organizationId, taskId) => {
    const view = await tasks.read(organizationId, taskId);
    return view.status === 'completed' ? withNotes(view, await notesOf(taskId)) : view;
  };
  const follow: TaskService['follow'] = async (organizationId, taskId, ...rest) => {
    const followed = await tasks.follow(organizationId, taskId, ...rest);
    const { view } = followed;
    if (view.status !== 'completed') return followed;
    return { ...followed, view: withNotes(view, await notesOf(taskId)) };
  };
  return { ...tasks, find, read, follow };
}

const withNotes = <Completed extends { output: TaskOutput }>(
  completed: Completed,
  notes: Note[],
): Completed =>
  notes.length === 0
    ? completed
    : {
        ...completed,
        output: { ...completed.output, notes: [...(completed.output.notes ?? []), ...notes] },
      };
