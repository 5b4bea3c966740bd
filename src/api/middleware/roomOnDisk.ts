import { DomainError } from '../../errors.ts';
import type { ApiMiddleware } from '../context.ts';
import type { SomeApiDeps } from '../apiDeps.ts';

const RETRY_AFTER_SECONDS = 60;

/** Refuses to start work while the disk is nearly full, because running work needs the rest. */
export function roomOnDisk({ hasRoom }: SomeApiDeps<'hasRoom'>): ApiMiddleware {
  return async function roomOnDisk(_ctx, next) {
    if (!(await hasRoom()))
      throw new DomainError('DISK_FULL', 'The disk is nearly full', {
        retryable: true,
        details: { retryAfterSeconds: RETRY_AFTER_SECONDS },
      });
    await next();
  };
}
