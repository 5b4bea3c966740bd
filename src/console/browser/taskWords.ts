import type { NamedMaker } from '../../contract/maker.ts';
import type { TaskType } from '../../contract/task.ts';
import type { Deployment, Publication, TaskSummary } from '../../contract/answers.ts';
import { publishedWords } from '../../browser/stateWords.ts';
import { count } from '../../browser/counts.ts';

/** A time as `Nov 23, 4:08`. @param time ISO 8601 */
function dayAndTime(time: string, timeZone?: string): string {
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en', { ...options, timeZone }).format(at);
  const at = new Date(time);
  const clock = of({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).replace(
    /^0(?=\d)/,
    '',
  );
  return `${of({ month: 'short', day: 'numeric' })}, ${clock}`;
}

/**
 * The name of a task or a deployment. One that put an earlier version live again is named after
 * that version's time, in the given time zone or the person's own.
 */
export const calledBy = (
  name: string,
  restores: string | null | undefined,
  timeZone?: string,
): string => (restores ? `Restored: version of ${dayAndTime(restores, timeZone)}` : name);

/** The number of pages that a deployment changed, in words. */
export function deploymentWords(pages: Deployment['pages']): string {
  const said = [
    [pages.created, 'new'],
    [pages.modified, 'changed'],
    [pages.deleted, 'deleted'],
  ] as const;
  return (
    said
      .filter(([number]) => number > 0)
      .map(([number, word]) => `${count(number, 'page')} ${word}`)
      .join(', ') || 'No page changed'
  );
}

interface Stated extends Pick<TaskSummary, 'status' | 'type'> {
  publication: (Pick<Publication, 'state'> & { isEdited?: boolean }) | null;
  /** How many pages the task created, changed or deleted. */
  pages?: number | undefined;
  /** Whether it waits for an answer to a question. */
  asks?: boolean;
}

export type DotKind = 'good' | 'bad' | 'busy' | 'warn' | '';

export const makerOf = (maker: NamedMaker | null) => maker?.name ?? '';

/** The names of the types of tasks. */
export const typeNames: Record<TaskType, string> = {
  generate_pages: 'Pages from a table',
  prompt: 'Instructions',
  publish: 'Publish',
  drop: 'Facts taken out',
  restore: 'Put live again',
};

/** The state of a task, in words. “Live” is only said of pages that are live. */
export function stateWords({ status, type, publication, pages, asks }: Stated): [DotKind, string] {
  if (status === 'running' && asks) return ['warn', 'Asks you something'];
  if (status === 'running') return ['busy', 'Running'];
  if (status === 'failed') return ['bad', 'Failed'];
  if (publication?.isEdited) return ['warn', publishedWords.edited];
  if (publication) return publications[publication.state];
  if (type === 'publish' || type === 'restore') return ['warn', 'Not live'];
  return pages === 0 ? ['', 'Nothing to change'] : ['warn', 'Ready to review'];
}

const publications: Record<Publication['state'], [DotKind, string]> = {
  live: ['good', publishedWords.live],
  'partly-live': ['good', 'Live in part'],
  replaced: ['', publishedWords.replaced],
};
