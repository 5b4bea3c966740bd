/**
 * A separate process that publishes one task, for tests that kill it. Arguments: data folder, URL,
 * base and commit.
 */
import { createRepositories } from '../../../../src/sites/git/repositories.ts';
import { publication } from '../../../helpers/team/workplace.ts';
import { testLauncher } from '../../../helpers/launcher.ts';

const [dataDir = '', url = '', base = '', commit = ''] = process.argv.slice(2);
const repository = createRepositories({ dataDir, launcher: testLauncher }).open({
  siteId: 'site-1',
  organizationId: 'team',
  repository: { url, branch: 'main', root: '' },
});
await repository.publish(publication('bg-1', base, commit));
