import type { TaskWork } from '../task.ts';
import { firstPromptLine, shortLine } from './summaries.ts';

/** Maximum length of a title in characters. */
export const TITLE_LENGTH = 200;
/** Maximum length of the prompt's first line in a title; that line may be a whole paragraph. */
const LINE_LENGTH = 100;

/** The default title of a task: one line without markup. */
export function defaultTaskTitle(work: TaskWork): string {
  switch (work.type) {
    case 'prompt':
      return shortLine(firstPromptLine(work.prompt), LINE_LENGTH) || 'Instructions';
    case 'generate_pages': {
      const { length } = work.items;
      return shortLine(
        `${length} ${length === 1 ? 'page' : 'pages'} from ${work.templatePageSlug}`,
        TITLE_LENGTH,
      );
    }
    case 'edit':
      return shortLine(`Edit ${work.page.slug}`, TITLE_LENGTH);
    case 'publish':
      return `Publish ${work.result.taskId}`;
    case 'restore':
      return `Restored: version of ${dayAndTime(work.at)} UTC`;
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A time as `Nov 23, 4:08`, in UTC. @param time ISO 8601 */
function dayAndTime(time: string): string {
  const moment = new Date(time);
  const minutes = String(moment.getUTCMinutes()).padStart(2, '0');
  return `${months[moment.getUTCMonth()]} ${moment.getUTCDate()}, ${moment.getUTCHours()}:${minutes}`;
}

/**
 * The title of a publish task.
 * @param title the published task's title
 */
export const publishTitle = (title: string): string => shortLine(`Publish: ${title}`, TITLE_LENGTH);
