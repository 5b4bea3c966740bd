import { answerOf } from './operator.ts';
import { Service } from './service.ts';

/** The same service, asked with the `member` key of a new organization. */
export async function otherOrganization(service: Service, name = 'Other'): Promise<Service> {
  const { organizationId } = await answerOf(
    service.dataDir,
    'organization',
    'create',
    '--name',
    name,
  );
  const owner = ['--organization', organizationId as string, '--role', 'member', '--name', 'test'];
  const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...owner);
  return new Service(service.dataDir, Object.assign({}, service.demo, { organizationId, apiKey }));
}
