import type { TaskEvent, TaskView } from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import type { TaskService } from '../../src/temporal/tasks/taskService.ts';
import { told } from './about.ts';

/** The question of a story. */
export const storyQuestion = {
  questionId: 'q1',
  question: 'Which office?\nAustin or <b>Porto</b>?',
  options: ['Austin', 'Porto'],
};

/** A task whose story a test tells, as the worker would. `follow` is what the service asks with. */
export class Story {
  readonly events: TaskEvent[] = [];
  view: TaskView;
  asked = 0;
  /** Thrown by the questions from now on. */
  failure: Error | undefined;
  private readonly taskId: string;
  private readonly organizationId: string;

  constructor(organizationId: string, taskId: string) {
    [this.organizationId, this.taskId] = [organizationId, taskId];
    this.view = { taskId, status: 'running' };
    this.tell({ type: 'status', status: 'running' });
  }

  follow = (organizationId: string, taskId: string): ReturnType<TaskService['follow']> => {
    this.asked++;
    if (organizationId !== this.organizationId || taskId !== this.taskId)
      return Promise.reject(new DomainError('NOT_FOUND', 'Task not found'));
    if (this.failure) return Promise.reject(this.failure);
    return Promise.resolve({ view: this.view, events: [...this.events], about: told });
  };

  tell(
    event:
      | { type: 'status'; status: TaskView['status'] }
      | { type: 'progress'; steps: number }
      | { type: 'page'; slug: string }
      | { type: 'question' }
      | { type: 'answer' },
  ) {
    const head = { id: this.events.length + 1, at: '2026-01-02T03:04:05.678Z' };
    if (event.type === 'status') this.events.push({ ...head, ...event });
    else if (event.type === 'progress')
      this.events.push({
        ...head,
        type: 'progress',
        progress: { phase: 'working', steps: event.steps },
      });
    else if (event.type === 'question')
      this.events.push({ ...head, type: 'question', question: storyQuestion });
    else if (event.type === 'answer')
      this.events.push({ ...head, type: 'answer', questionId: 'q1', answer: 'Both' });
    else
      this.events.push({
        ...head,
        type: 'page',
        page: { slug: event.slug, previewUrl: 'http://p/', editUrl: null },
      });
  }

  /** It asks people. */
  ask() {
    const { taskId } = this.view;
    const since = '2026-01-02T03:04:05.678Z';
    const waitingFor = { ...storyQuestion, since };
    this.tell({ type: 'question' });
    this.view = { taskId, status: 'running', progress: { phase: 'working', steps: 1, waitingFor } };
  }

  finish() {
    const { taskId } = this.view;
    this.tell({ type: 'status', status: 'failed' });
    this.view = { taskId, status: 'failed', errorMessage: 'Template page not found: /x' };
  }
}
