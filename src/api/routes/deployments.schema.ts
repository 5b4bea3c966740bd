import { Joi } from '../../joi.ts';
import type { DeploymentPart } from '../../hosting/deploymentList.ts';
import { cursorOf, cursorSchema, limitOf } from '../cursors.ts';

type PastPlace = NonNullable<DeploymentPart['next']>;

const place = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{0,64})$/;

export const deploymentCursor = cursorOf<PastPlace>(
  ({ endedAt, commit }) => `${endedAt} ${commit}`,
  (text) => {
    const [, endedAt = '', commit = ''] = place.exec(text) ?? [];
    return Number.isNaN(Date.parse(endedAt)) ? null : { endedAt, commit };
  },
);

/** The query of GET /sites/{siteId}/deployments. */
export interface DeploymentQuery {
  limit: number;
  /** The deployment after which the list goes on. */
  cursor?: PastPlace;
}

export const deploymentQuery = Joi.object<DeploymentQuery>({
  limit: limitOf('deployments'),
  cursor: cursorSchema(deploymentCursor, 1_000),
});
