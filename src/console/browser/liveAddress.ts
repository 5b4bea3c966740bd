import { pathOfPage } from '../../browser/path.ts';
import type { NamedMaker } from '../../contract/maker.ts';
import type { TaskType } from '../../contract/task.ts';

export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

export const makerOf = (maker: NamedMaker | null) => maker?.name ?? '';

const types: Record<TaskType, string> = {
  generate_pages: 'Pages from a table',
  prompt: 'Instructions',
  publish: 'Publish',
  restore: 'Put live again',
  drop: 'Facts taken out',
};

export const typeWords = (type: TaskType) => types[type];

/** Where a page is live: slugs hold any letters. */
export const liveAddress = (liveUrl: string, slug: string) =>
  new URL(`.${pathOfPage(slug).toString()}`, liveUrl).href;
