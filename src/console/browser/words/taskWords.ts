import type { NamedCreator } from '../../../contract/creator.ts';
import type { TaskType } from '../../../contract/task.ts';
import type {
  DeploymentResponse,
  PublicationResponse,
  TaskSummaryResponse,
} from '../../../contract/responses.ts';
import { publishedLabels } from '../../../browser/stateLabels.ts';
import { countNoun } from '../../../browser/counts.ts';

/** A time as `Nov 23, 4:08`. @param time ISO 8601 */
function dayAndTime(time: string, timeZone?: string): string {
  const formatPart = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en', { ...options, timeZone }).format(moment);
  const moment = new Date(time);
  const clockTime = formatPart({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).replace(
    /^0(?=\d)/,
    '',
  );
  return `${formatPart({ month: 'short', day: 'numeric' })}, ${clockTime}`;
}

/**
 * The name of a task or a deployment for people. If it put an earlier version live again, the name
 * has that version's time, in the given time zone or the person's own.
 */
export const displayName = (
  name: string,
  restores: string | null | undefined,
  timeZone?: string,
): string => (restores ? `Restored: version of ${dayAndTime(restores, timeZone)}` : name);

/** The number of pages that a deployment changed, in words. */
export function deploymentWords(pages: DeploymentResponse['pages']): string {
  const changeCounts = [
    [pages.created, 'new'],
    [pages.modified, 'changed'],
    [pages.deleted, 'deleted'],
  ] as const;
  return (
    changeCounts
      .filter(([number]) => number > 0)
      .map(([number, word]) => `${countNoun(number, 'page')} ${word}`)
      .join(', ') || 'No page changed'
  );
}

interface TaskStateFields extends Pick<TaskSummaryResponse, 'status' | 'type'> {
  publication: (Pick<PublicationResponse, 'state'> & { isEdited?: boolean }) | null;
  /** How many pages the task created, changed or deleted. */
  pages?: number | undefined;
  /** Whether it waits for an answer to a question. */
  asks?: boolean;
}

export type DotKind = 'good' | 'bad' | 'busy' | 'warn' | '';

export const creatorName = (creator: NamedCreator | null) => creator?.name ?? '';

/** The names of the types of tasks. */
export const typeNames: Record<TaskType, string> = {
  generate_pages: 'Pages from a table',
  prompt: 'Instructions',
  publish: 'Publish',
  restore: 'Put live again',
  edit: 'Edit by hand',
};

/** The state of a task, in words. “Live” is only said of pages that are live. */
export function stateWords({
  status,
  type,
  publication,
  pages,
  asks,
}: TaskStateFields): [DotKind, string] {
  if (status === 'running' && asks) return ['warn', 'Has a question for you'];
  if (status === 'running') return ['busy', 'Running'];
  if (status === 'failed') return ['bad', 'Failed'];
  if (publication?.isEdited) return ['warn', publishedLabels.edited];
  if (publication) return publicationWords[publication.state];
  if (type === 'publish' || type === 'restore') return ['warn', 'Not live'];
  return pages === 0 ? ['', 'Nothing to change'] : ['warn', 'Ready to review'];
}

const publicationWords: Record<PublicationResponse['state'], [DotKind, string]> = {
  live: ['good', publishedLabels.live],
  'partly-live': ['good', 'Partly live'],
  replaced: ['', publishedLabels.replaced],
};
