import type { PageItem } from '../../contract/task.ts';
import { answerOf } from '../../threads.ts';
import type { TemplatePage } from '../agent.ts';
import { writePage } from './page/writePage.ts';

export interface WriteJob {
  template: TemplatePage;
  item: PageItem;
}

/** Writes one page in a worker thread. */
export default ({ template, item }: WriteJob) => answerOf(() => writePage(template, item));
