import { RULES } from '../agents/modelAssignment.ts';
import type { TaskCheck } from '../contract/checks.ts';
import type { SiteWithRepository } from '../contract/site.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import type { RequestCaller } from './caller.ts';
import { resolveTaskRequest, type CreateTaskPorts, type CreateTaskRequest } from './createTask.ts';
import type { NeededPorts } from './ports.ts';

export type CheckTaskPorts = CreateTaskPorts & NeededPorts<'checkTask'>;

/**
 * Checks a request without starting a task.
 * @returns the findings, the agent that would do the work (a model's name or `rules`), and the site
 * @throws DomainError as `createTask`
 */
export async function checkTaskRequest(
  caller: RequestCaller,
  deps: CheckTaskPorts,
  request: CreateTaskRequest,
  jobOwner: JobOwner,
): Promise<{ checked: TaskCheck; agent: string; site: SiteWithRepository }> {
  const { site, fields } = await resolveTaskRequest(caller, deps, request);
  const { model, baseTask, work: requestedWork } = fields;
  const checked = await deps.checkTask(
    { site, baseTask, work: requestedWork, isModel: model !== undefined },
    jobOwner,
  );
  return { checked, agent: model ?? RULES, site };
}
