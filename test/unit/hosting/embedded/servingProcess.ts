/**
 * The embedded host in a process of its own, so that its memory can be measured. Every label under
 * `sites.localhost` has the repository of that name in the data folder. Arguments: data folder,
 * commit, milliseconds in which a reader must take something. Prints its port, and for each line of
 * input how much memory it held at most and how many connections are open.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Koa from 'koa';
import { serveApp } from '../../../../src/api/server.ts';
import { createDiskCopies } from '../../../../src/hosting/embedded/diskCopies.ts';
import { serveSites } from '../../../../src/hosting/embedded/serveSites.ts';
import { createRepositories } from '../../../../src/sites/git/repositories.ts';
import { testLauncher } from '../../../helpers/launcher.ts';
import { testPages } from '../../../helpers/threads.ts';
import { going } from '../../../helpers/deployed.ts';

const [dataDir = '', commit = '', stallMs = ''] = process.argv.slice(2);
const repositories = createRepositories({ dataDir, launcher: testLauncher });
const app = new Koa();
app.silent = true;
app.use(
  serveSites({
    sites: {
      findByLabel: async (label) => ({
        siteId: label,
        organizationId: label,
        name: label,
        label,
        host: 'embedded',
        createdAt: '',
        repository: { url: 'file:///nowhere', branch: 'main', root: '' },
        author: { name: label, email: 'a@example.com' },
      }),
      isKeptLabel: async () => false,
    },
    deployments: {
      live: async () => ({ ...going, commit, taskId: null, deployedAt: '' }),
      preview: async () => null,
    },
    pages: testPages,
    repositories,
    copies: await createDiskCopies({ folder: join(dataDir, 'served'), hasRoom: async () => true }),
    sitesDomain: 'sites.localhost',
    previewDomain: 'preview.localhost',
    publicUrl: () => new URL('http://localhost'),
  }),
);

const { port } = await serveApp(app, 0, { host: '127.0.0.1', stallMs: Number(stallMs) });
console.log(port);

createInterface({ input: process.stdin }).on('line', () => {
  const connections = process
    .getActiveResourcesInfo()
    .filter((name) => name === 'TCPSocketWrap').length;
  console.log(JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024, connections }));
});
