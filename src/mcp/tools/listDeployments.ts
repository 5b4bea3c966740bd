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

/** `list_deployments`: lists what went live on a site, like GET /sites/{siteId}/deployments. */
export const listDeploymentsTool: AssistantTool<DeploymentQuery & { siteId: string }> = {
  name: 'list_deployments',
  title: 'List deployments',
  description: 'Lists the deployments of a site, newest first.',
  hints: readHints,
  input: Joi.object({ siteId, ...pickFields(deploymentQuery, 'limit', 'cursor') }),
  output: toolAnswer({
    deployments: listField(
      openObject({
        deploymentId: textField('The id for restore_deployment.').required(),
        name: textField('What the deployment made live.').required(),
        at: textField('A time in ISO 8601, in UTC.').required(),
        taskId: nullableText(
          'The task that published the deployment. Null if no task did.',
        ).required(),
        isLive: Joi.boolean().required(),
      }),
      'The deployments, newest first.',
    ).required(),
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, deps }, query) {
    const { deployments, nextCursor } = await listDeployments(caller, deps, query);
    return {
      deployments: deployments.map(({ deploymentId, name, at, taskId, isLive }) => ({
        deploymentId,
        name,
        at,
        taskId,
        isLive,
      })),
      nextCursor,
      next: 'Call restore_deployment to make an earlier deployment live again.',
    };
  },
};
