import { verdictOfMarks } from '../../contract/reviews/reviewKinds.ts';
import type { NeededPorts } from '../ports.ts';

/** The slugs of the pages of a task or batch that somebody left out. */
export async function leftOutSlugs(
  { pageMarks }: NeededPorts<'pageMarks'>,
  taskId: string,
): Promise<Set<string>> {
  const marksBySlug = Map.groupBy(await pageMarks.of(taskId), ({ slug }) => slug);
  return new Set(
    [...marksBySlug].flatMap(([slug, marks]) => (verdictOfMarks(marks) === 'left-out' ? slug : [])),
  );
}
