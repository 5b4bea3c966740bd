/**
 * A separate process that reads a site to register it, for tests that kill it. Arguments: data
 * folder, URL and siteId.
 */
import { countPages } from '../../../../../src/sites/pages/listing/countPages.ts';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';

const [dataDir = '', url = '', siteId = ''] = process.argv.slice(2);
const repositories = createRepositories({ dataDir, launcher: testLauncher });
const site = { siteId, organizationId: 'team', repository: { url, branch: 'main', root: '' } };
const read = () => Promise.reject(new Error('No page is read'));
await countPages(repositories, { isPage: () => false, read }, site);
