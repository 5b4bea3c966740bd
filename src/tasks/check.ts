import { RULES } from '../agents/assignment.ts';
import type { TaskChecked } from '../contract/check.ts';
import type { SiteWithRepository } from '../contract/site.ts';
import type { Work } from '../threads/threads.ts';
import type { Caller } from './caller.ts';
import { askedTask, type CreateDeps, type CreateRequest } from './create.ts';
import type { Needs } from './ports.ts';

export type CheckDeps = CreateDeps & Needs<'checkTask'>;

/**
 * Checks a request without starting a task.
 * @returns the findings, who would do the work, and the site
 * @throws DomainError as `create`
 */
export async function check(
  caller: Caller,
  deps: CheckDeps,
  request: CreateRequest,
  work: Work,
): Promise<{ checked: TaskChecked; agent: string; site: SiteWithRepository }> {
  const { site, fields } = await askedTask(caller, deps, request);
  const { model, onto, work: asked } = fields;
  const checked = await deps.checkTask(
    { site, onto, work: asked, isModel: model !== undefined },
    work,
  );
  return { checked, agent: model ?? RULES, site };
}
