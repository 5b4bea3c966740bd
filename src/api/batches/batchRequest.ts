import { batchLimits } from '../../contract/batches/batch.ts';
import { limits as usual } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { BatchRequest } from '../../tasks/batches/create.ts';
import {
  type ApiContext,
  type ApiMiddleware,
  callerIdentity,
  type ValidBody,
  jobOwnerOf,
} from '../context.ts';
import { bodyParts, bodyReader } from '../middleware/body.ts';
import { checkQuery, readQuery } from '../middleware/validate.ts';
import type { SomeApiDeps } from '../apiDeps.ts';
import { createKeyPermits } from '../keyPermits.ts';
import { batchQuery } from '../routes/batches/batches.schema.ts';
import type { SentBatch } from './batchReader.ts';

/** Maximum number of large requests of an organization that are read at the same time. */
const AT_ONCE = 4;
const RETRY_S = 2;
const CSV = 'text/csv';

/** Whether a body is larger than other routes allow, or may be, since it has no Content-Length. */
const isLargeBody = ({ req: { headers } }: ApiContext) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > usual.bodyBytes;

/**
 * Reads a request for a batch into `ctx.state.body`: JSON, or CSV with the options in the query.
 * @throws DomainError INVALID_INPUT if the whole request is invalid; TOO_MANY_REQUESTS if the
 *   organization is already sending four large requests
 */
export function batchRequest({
  readBatch,
}: SomeApiDeps<'readBatch'>): ApiMiddleware<ValidBody<BatchRequest>> {
  const bodyLimits = { types: ['application/json', CSV], maxBytes: batchLimits.bodyBytes };
  const readBody = bodyReader(bodyLimits);
  const readBodyParts = bodyParts(bodyLimits);
  const permits = createKeyPermits(AT_ONCE);

  async function sentIn(ctx: ApiContext): Promise<SentBatch> {
    if (ctx.request.type.toLowerCase() !== CSV) return { json: await readBody(ctx) };
    const options = checkQuery(batchQuery, readQuery(ctx));
    return { parts: readBodyParts(ctx), options };
  }

  function enter(ctx: ApiContext): () => void {
    const { organizationId } = callerIdentity(ctx);
    if (permits.isFull(organizationId)) {
      ctx.set('Retry-After', String(RETRY_S));
      throw new DomainError(
        'TOO_MANY_REQUESTS',
        `The organization is already sending ${AT_ONCE} large batches: wait until one is received`,
      );
    }
    permits.take(organizationId);
    return () => permits.leave(organizationId);
  }

  return async function batchRequest(ctx, next) {
    const releasePermit = isLargeBody(ctx) ? enter(ctx) : undefined;
    try {
      ctx.state.body = await readBatch(await sentIn(ctx), jobOwnerOf(ctx));
    } finally {
      releasePermit?.();
    }
    await next();
  };
}
