import { Joi } from '../../boundedJoi.ts';
import { listDeployments } from '../../api/routes/sites/deployments.ts';
import {
  deploymentQuery,
  type DeploymentQuery,
} from '../../api/routes/sites/deployments.schema.ts';
import {
  toolAnswer,
  pickFields,
  listField,
  nextCursorSchema,
  nullableText,
  openObject,
  siteId,
  textField,
} from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

export const listDeploymentsTool: AssistantTool<DeploymentQuery & { siteId: string }> = {
  name: 'list_deployments',
  title: 'List deployments',
  description: 'Lists what was live of a site, the latest first.',
  hints: readHints,
  input: Joi.object({ siteId, ...pickFields(deploymentQuery, 'limit', 'cursor') }),
  output: toolAnswer({
    deployments: listField(
      openObject({
        deploymentId: textField('For restore_deployment.').required(),
        name: textField('What it put live.').required(),
        at: textField('ISO 8601, UTC.').required(),
        taskId: nullableText('The task that did it, if one did.').required(),
        isLive: Joi.boolean().required(),
      }),
      'The latest first.',
    ).required(),
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, parts }, query) {
    const { deployments, nextCursor } = await listDeployments(caller, parts, query);
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
