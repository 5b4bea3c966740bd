import { Joi } from '../../boundedJoi.ts';
import { previewRestore } from '../../tasks/previewPublish.ts';
import { startRestoreTask } from '../../tasks/restoreTask.ts';
import { type ChangingArgs, submissionTo } from '../startingTool.ts';
import { confirmField, idempotencyKey, presentStart, siteId, startedAnswer } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

type RestoreDeploymentArgs = { siteId: string; deploymentId: string } & ChangingArgs;

/** `restore_deployment`: starts a task that makes an earlier deployment live again. */
export const restoreDeploymentTool: AssistantTool<RestoreDeploymentArgs> = {
  name: 'restore_deployment',
  title: 'Restore a deployment',
  description:
    'Starts a task that makes an earlier deployment of a site live again, as a new commit. A person must agree.',
  hints: { ...startHints, destructiveHint: true },
  input: Joi.object({
    siteId,
    deploymentId: Joi.string().max(64).required().description('The id from list_deployments.'),
    confirm: confirmField,
    idempotencyKey,
  }),
  output: startedAnswer,
  limit: 'create',
  starts: true,
  isPublishing: () => true,
  async question({ caller, deps, jobOwner }, args) {
    const { deployment, lists } = await previewRestore(caller, deps, args, jobOwner);
    const { created, modified, deleted } = lists;
    return `Make "${deployment.name}" of ${deployment.deployedAt} live again? This changes ${modified.length} pages, adds ${created.length} and removes ${deleted.length}.`;
  },
  async run({ caller, deps }, { siteId, deploymentId, idempotencyKey }) {
    const restorePath = `/api/v1/sites/${siteId}/deployments/${deploymentId}/restore`;
    const request = { siteId, deploymentId };
    return presentStart(
      await startRestoreTask(caller, deps, request, submissionTo(restorePath, idempotencyKey)),
    );
  },
};
