// Takes long: it starts Gitea and the real service, and two generators build sites. Takes pictures if
// PICTURES names a folder.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Agent, fetch } from 'undici';
import { expectScreen } from '../../helpers/consolePeople.ts';
import { CountedInputs } from '../../helpers/countedInputs.ts';
import { temporaryFolder } from '../../helpers/database.ts';
import { startHostInBox } from '../../helpers/hostInBox/hostInBox.ts';
import { deployTo, type ForgeConsole, startForgeConsole } from '../../helpers/ownHostConsole.ts';
import { needProgram } from '../../helpers/programs.ts';
import { starters } from '../../helpers/siteGenerators/starters.ts';
import { until } from '../../helpers/until.ts';

/** A site in Markdown, and what a marketer does with it. */
interface MarkdownWalk {
  name: 'Astro' | 'Eleventy';
  /** The rules that the check proposes for URLs that do not follow from the configuration. */
  proposals: { rule: string; example: string }[];
  template: { slug: string; title: string };
  /** The page whose list gets an entry for each new page: its choice, and its path. */
  linkFrom?: { slug: string; title: string; urlPath: string };
  table: string[][];
  /** Each new page: the slug that the console proposes, its path on the live site, and its texts. */
  newPages: { slug: string; urlPath: string; texts: string[] }[];
}

const walks: MarkdownWalk[] = [
  {
    name: 'Astro',
    proposals: [
      { rule: '/blog/:slug/ for src/content/blog', example: '/blog/austin/' },
      { rule: '/:slug/ for src/pages', example: '/about/' },
    ],
    template: { slug: '/src/content/blog/austin', title: 'A walk through Austin' },
    table: [
      ['City', 'Title', 'Description'],
      ['Lisbon', 'A walk through Lisbon', 'Two hours up and down the seven hills.'],
      ['Porto', 'A walk through Porto', 'An afternoon beside the wine cellars.'],
    ],
    newPages: [
      {
        slug: '/src/content/blog/lisbon',
        urlPath: '/blog/lisbon/',
        texts: ['A walk through Lisbon', 'Two hours up and down the seven hills.'],
      },
      {
        slug: '/src/content/blog/porto',
        urlPath: '/blog/porto/',
        texts: ['A walk through Porto', 'An afternoon beside the wine cellars.'],
      },
    ],
  },
  {
    name: 'Eleventy',
    proposals: [],
    template: { slug: '/content/workshops/austin', title: 'Website workshop in Austin' },
    linkFrom: { slug: '/content', title: 'Northwind notes', urlPath: '/' },
    table: [
      ['City', 'Title', 'Date', 'Address', 'Phone'],
      ['Lisbon', 'Website workshop in Lisbon', 'May 8, 2027', 'Rua Augusta 12', '+351 21 123 4567'],
      ['Porto', 'Website workshop in Porto', 'May 9, 2027', 'Rua das Flores 3', '+351 22 765 4321'],
    ],
    newPages: [
      {
        slug: '/content/workshops/lisbon',
        urlPath: '/workshops/lisbon/',
        texts: ['Website workshop in Lisbon', 'May 8, 2027', 'Rua Augusta 12', '+351 21 123 4567'],
      },
      {
        slug: '/content/workshops/porto',
        urlPath: '/workshops/porto/',
        texts: ['Website workshop in Porto', 'May 9, 2027', 'Rua das Flores 3', '+351 22 765 4321'],
      },
    ],
  },
];

describe('sites in Markdown with a generator, in the console', function () {
  this.timeout(900_000);
  let started: ForgeConsole;
  let page: Page;

  before(async function () {
    needProgram(this, 'generators of sites');
    started = await startForgeConsole(this);
    ({ page } = started);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const open = (path: string) => page.goto(`${new URL(page.url()).origin}${path}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const textAt = async (url: string) => {
    const dispatcher = new Agent({ connect: { ca: started.authority.ca } });
    return (await fetch(url, { dispatcher })).text();
  };
  const choiceOf = ({ title, slug }: { title: string; slug: string }) => `${title} (${slug})`;
  /** A private repository with a starter, whose host has built it once. */
  async function createSite(name: MarkdownWalk['name']) {
    const folder = temporaryFolder();
    const site = join(folder.path, 'site');
    await starters[name]!.create(site, '');
    const paths = globSync('**/*', { cwd: site, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const files = Object.fromEntries(
      paths.map((path) => [path.slice(site.length + 1), readFileSync(path, 'utf8')]),
    );
    folder.remove();
    const { gitea, owner, authority } = started;
    const repository = await gitea.createRepository(owner, files);
    const box = await startHostInBox(gitea, repository, authority);
    await deployTo({ gitea, owner, repository, box });
    return { repository, box };
  }

  for (const walk of walks)
    it(`take a site of ${walk.name} from “Add site” to live pages`, async () => {
      const { gitea, owner } = started;
      const { linkFrom } = walk;
      const { repository, box } = await createSite(walk.name);
      const inputs = new CountedInputs(page);
      const field = (label: string) => page.getByLabel(label, { exact: true });
      const picture = (name: string) => expectScreen(page, `${walk.name.toLowerCase()}-${name}`);
      try {
        await open('/sites/new');
        await picture('1-add');
        await inputs.type(field('Repository'), repository.url);
        await inputs.choose(
          field('Who serves the pages'),
          'An external host that builds from Gitea',
        );
        await inputs.type(field('Token'), await gitea.createToken(owner, ['write:repository']));
        await inputs.choose(
          field('How pages go live'),
          'Pull request that is merged automatically',
        );
        await inputs.type(field('URL of the live site'), box.productionUrl);
        await inputs.click(page.getByText('More settings of the host'));
        await inputs.type(field('Trusted hosts'), box.hosts.join(', '));
        await inputs.click(button('Check'));
        const found = page.getByRole('list', { name: 'What the check found' });
        await found.getByText('An earlier deployment answers').waitFor();
        await picture('2-check');
        for (const { rule, example } of walk.proposals) {
          await found.getByText(`${box.productionUrl}${example}`).waitFor();
          await inputs.click(button(`Use ${rule}`));
        }
        await picture('3-rules');
        await inputs.click(button('Add site'));
        await link('Go to the site').waitFor();
        await picture('4-webhook');
        const [url, secret] = await page.locator('.secret code').allInnerTexts();
        await gitea.createWebhook(repository, {
          url: url!.replace('localhost', '127.0.0.1'),
          secret: secret!,
          events: ['push', 'pull_request', 'status'],
        });
        await inputs.click(link('Go to the site'));
        await link('New task').waitFor();
        await picture('5-site');
        await inputs.click(link('New task'));
        await field('Template').waitFor();
        await picture('6-template');
        await inputs.choose(field('Template'), choiceOf(walk.template));
        await inputs.click(field('Table'));
        await field('Table').fill(walk.table.map((row) => row.join('\t')).join('\n'));
        inputs.keys++;
        await inputs.click(button('Use this table'));
        for (const [i, { slug }] of walk.newPages.entries()) {
          const address = field(`Address of row ${i + 1}`);
          await address.waitFor();
          expect(await address.inputValue()).to.equal(slug);
        }
        await until('the check', async () => (await page.getByText('Checking').count()) === 0);
        if (linkFrom)
          await inputs.choose(field('Page that links to the new ones'), choiceOf(linkFrom));
        await picture('7-table');
        await inputs.click(button('Start'));
        await page.waitForURL(/\/tasks\/bg-/);
        const taskId = new URL(page.url()).pathname.split('/').at(-1)!;
        const slugs = [...walk.newPages, ...(linkFrom ? [linkFrom] : [])].map(({ slug }) => slug);
        await page.getByText(`${slugs.length} not looked at`).waitFor();
        for (const { urlPath, texts } of walk.newPages) {
          const preview = `${box.previewUrl(taskId)}${urlPath}`;
          await link(preview).waitFor();
          const shownText = await textAt(preview);
          for (const text of texts) expect(shownText).to.include(text);
        }
        await picture('8-task');
        for (const slug of slugs) await inputs.click(button(`Fine: ${slug}`));
        await picture('9-fine');
        await inputs.click(button('Publish'));
        await inputs.click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }));
        await page.getByText('The changes went live by a pull request.').waitFor();
        await picture('10-live');
        for (const { urlPath, texts } of walk.newPages) {
          const liveUrl = `${box.productionUrl}${urlPath}`;
          const liveText = await textAt(liveUrl);
          for (const text of texts) expect(liveText).to.include(text);
          if (linkFrom)
            expect(await textAt(box.productionUrl + linkFrom.urlPath)).to.include(
              `href="${urlPath}"`,
            );
        }
        console.log(
          `      ${walk.name}: ${inputs.clicks} clicks, ${inputs.keys} keys, ` +
            `${inputs.machineMinutes.toFixed(1)} min of the machine, ` +
            `about ${inputs.personMinutes.toFixed(1)} min of a person`,
        );
      } finally {
        await box.close();
      }
    });
});
