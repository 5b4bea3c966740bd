import { notFoundError } from '../errors.ts';
import { uuidSchema } from '../api/routes/tasks/tasks.schema.ts';

/**
 * Refuses what is no id of a site, such as its name.
 * @throws DomainError NOT_FOUND that says where the ids are
 */
export function refuseSiteName({ siteId }: { siteId?: unknown }): void {
  if (typeof siteId === 'string' && !uuidSchema.test(siteId))
    throw notFoundError(
      'Site not found. siteId must be the id of a site, not its name. Call list_sites to get it.',
    );
}
