import { notFoundError } from '../errors.ts';
import { uuidSchema } from '../api/routes/tasks/tasks.schema.ts';

/**
 * Refuses a `siteId` argument that is not an id, such as the name of the site.
 * @throws DomainError NOT_FOUND that says how to get the id
 */
export function refuseSiteName({ siteId }: { siteId?: unknown }): void {
  if (typeof siteId === 'string' && !uuidSchema.test(siteId))
    throw notFoundError(
      'Site not found. siteId must be the id of a site, not its name. Call list_sites to get it.',
    );
}
