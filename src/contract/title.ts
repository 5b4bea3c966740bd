import type { TaskWork } from './task.ts';
import { firstLineOf, shortLine } from './text.ts';

/** Characters of a title at most. */
export const TITLE_LENGTH = 200;
/** A prompt's first line may be a whole paragraph. */
const LINE_LENGTH = 100;

/** The title of a task whose request has none. It is one line without markup. */
export function titleOf(work: TaskWork): string {
  switch (work.type) {
    case 'prompt':
      return shortLine(firstLineOf(work.prompt), LINE_LENGTH) || 'Instructions';
    case 'generate_pages': {
      const { length } = work.items;
      return shortLine(`${length} ${length === 1 ? 'page' : 'pages'} from ${work.templatePageSlug}`, TITLE_LENGTH);
    }
    case 'publish':
      return `Publish ${work.result.taskId}`;
    case 'restore':
      return `Put ${work.commit.slice(0, 10)} live again`;
  }
}

/** The title of a publish, after that of the task that is published. */
export const publishTitle = (title: string | undefined, taskId: string): string =>
  shortLine(`Publish: ${title ?? taskId}`, TITLE_LENGTH);
