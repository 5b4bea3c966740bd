import Joi, { type CustomHelpers } from 'joi';
import type { DeploymentPart } from '../../hosting/deploymentList.ts';

type PastPlace = NonNullable<DeploymentPart['next']>;

/** The query of GET /sites/{siteId}/deployments. */
export interface DeploymentQuery {
  limit: number;
  /** The deployment after which the list goes on. */
  cursor?: PastPlace;
}

export const deploymentQuery = Joi.object<DeploymentQuery>({
  limit: Joi.number()
    .integer()
    .min(1)
    .max(100)
    .default(20)
    .description('How many deployments at most.'),
  cursor: Joi.string().max(1_000).custom(placeIn).description('`nextCursor` of the answer before.'),
});

export const deploymentCursorAt = ({ endedAt, commit }: PastPlace) =>
  Buffer.from(`${endedAt} ${commit}`).toString('base64url');

function placeIn(cursor: string, helpers: CustomHelpers) {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, endedAt = '', commit = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{0,64})$/.exec(text) ?? [];
  const isPlace =
    !Number.isNaN(Date.parse(endedAt)) && deploymentCursorAt({ endedAt, commit }) === cursor;
  return isPlace
    ? { endedAt, commit }
    : helpers.message({ custom: '{{#label}} must be the nextCursor of an answer' });
}
