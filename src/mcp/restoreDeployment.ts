import { Joi } from '../joi.ts';
import { checkRestore } from '../tasks/goingLive.ts';
import { restore } from '../tasks/restore.ts';
import { type Changing, sentTo } from './newTask.ts';
import { confirm, idempotencyKey, presentStart, siteId, started } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

type Args = { siteId: string; deploymentId: string } & Changing;

export const restoreDeployment: Tool<Args> = {
  name: 'restore_deployment',
  title: 'Restore a deployment',
  description:
    'Starts a task that puts an earlier deployment of a site live again, as a new commit. A person has to agree.',
  hints: { ...starts, destructiveHint: true },
  input: Joi.object({
    siteId,
    deploymentId: Joi.string().max(64).required().description('See list_deployments.'),
    confirm,
    idempotencyKey,
  }),
  output: started,
  limit: 'create',
  starts: true,
  isPublishing: () => true,
  async question({ caller, parts, work }, args) {
    const { deployment, lists } = await checkRestore(caller, parts, args, work);
    const { created, modified, deleted } = lists;
    return `Put "${deployment.name}" of ${deployment.deployedAt} live again? It changes ${modified.length} pages, adds ${created.length} and removes ${deleted.length}.`;
  },
  async run({ caller, parts }, { siteId, deploymentId, idempotencyKey }) {
    const path = `/api/v1/sites/${siteId}/deployments/${deploymentId}/restore`;
    const request = { siteId, deploymentId };
    return presentStart(await restore(caller, parts, request, sentTo(path, idempotencyKey)));
  },
};
