import { pathOfPage } from '../../editor/public/path.js';
import { nameOf, type Maker, type TaskType } from './client/types.ts';

export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

export const makerOf = (maker: Maker | undefined) => nameOf(maker);

const types: Record<TaskType, string> = {
  generate_pages: 'Pages from a table',
  prompt: 'Instructions',
  publish: 'Publish',
  restore: 'Put live again',
};

export const typeWords = (type: TaskType | undefined) => (type ? types[type] : 'Task');

/** Where a page is live: slugs hold any letters. */
export const liveAddress = (liveUrl: string, slug: string) => new URL(`.${pathOfPage(slug).toString()}`, liveUrl).href;
