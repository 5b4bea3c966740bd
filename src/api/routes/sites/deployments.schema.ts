import { Joi } from '../../../boundedJoi.ts';
import type { DeploymentListPart } from '../../../hosting/deploymentList.ts';
import { createCursor, cursorSchema, limitSchema } from '../../cursors.ts';

type DeploymentPosition = NonNullable<DeploymentListPart['next']>;

const positionPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{0,64})$/;

export const deploymentCursor = createCursor<DeploymentPosition>(
  ({ endedAt, commit }) => `${endedAt} ${commit}`,
  (cursorText) => {
    const [, endedAt = '', commit = ''] = positionPattern.exec(cursorText) ?? [];
    return Number.isNaN(Date.parse(endedAt)) ? null : { endedAt, commit };
  },
);

/** The query of GET /sites/{siteId}/deployments. */
export interface DeploymentQuery {
  limit: number;
  /** The deployment after which the list continues. */
  cursor?: DeploymentPosition;
}

export const deploymentQuery = Joi.object<DeploymentQuery>({
  limit: limitSchema('deployments'),
  cursor: cursorSchema(deploymentCursor, 1_000),
});
