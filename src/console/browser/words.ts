import { nameOf, type Maker, type TaskType } from './client/types.ts';

export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

/** "acme/website" of a repository's address. */
export function repositoryName(url: string): string {
  const path = url.includes('://') ? url.slice(url.indexOf('://') + 3) : url;
  const parts = path.split(/[/:]/).filter(Boolean);
  const last = parts.slice(-2).join('/');
  return last.endsWith('.git') ? last.slice(0, -4) : last;
}

export const makerOf = (maker: Maker | undefined) => nameOf(maker);

const types: Record<TaskType, string> = {
  generate_pages: 'Pages from a table',
  prompt: 'Instructions',
  publish: 'Publish',
  restore: 'Put live again',
};

export const typeWords = (type: TaskType | undefined) => (type ? types[type] : 'Task');

export const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** Where a page is below an origin: slugs hold any letters. */
export const pathOf = (slug: string) => slug.split('/').map(encodeURIComponent).join('/');
