import { Joi } from '../joi.ts';
import { listDeployments as read } from '../api/routes/deployments.ts';
import { deploymentQuery, type DeploymentQuery } from '../api/routes/deployments.schema.ts';
import {
  answerOf,
  fieldsOf,
  listOf,
  nextCursor,
  orNull,
  partOf,
  siteId,
  string,
} from './schemas.ts';
import { reads, type Tool } from './tool.ts';

export const listDeployments: Tool<DeploymentQuery & { siteId: string }> = {
  name: 'list_deployments',
  title: 'List deployments',
  description: 'Lists what was live of a site, the latest first.',
  hints: reads,
  input: Joi.object({ siteId, ...fieldsOf(deploymentQuery, 'limit', 'cursor') }),
  output: answerOf({
    deployments: listOf(
      partOf({
        deploymentId: string('For restore_deployment.').required(),
        name: string('What it put live.').required(),
        at: string('ISO 8601, UTC.').required(),
        taskId: orNull('The task that did it, if one did.').required(),
        isLive: Joi.boolean().required(),
      }),
      'The latest first.',
    ).required(),
    nextCursor,
  }),
  async run({ caller, parts }, query) {
    const { deployments, nextCursor } = await read(caller, parts, query);
    return {
      deployments: deployments.map(({ deploymentId, name, at, taskId, isLive }) => ({
        deploymentId,
        name,
        at,
        taskId,
        isLive,
      })),
      nextCursor,
      next: 'restore_deployment puts an earlier one live again.',
    };
  },
};
