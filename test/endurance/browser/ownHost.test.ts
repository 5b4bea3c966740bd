// Takes long: it starts Gitea and the real service, and walks in a browser.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Agent, fetch } from 'undici';
import { expectScreen } from '../../helpers/consolePeople.ts';
import type { GiteaRepository } from '../../helpers/gitea/client.ts';
import { startHostInBox } from '../../helpers/hostInBox/hostInBox.ts';
import {
  deployTo,
  type OwnHostConsole,
  startOwnHostConsole,
} from '../../helpers/ownHostConsole.ts';
import { until } from '../../helpers/until.ts';

const cities = [
  'Lisbon',
  'Porto',
  'Faro',
  'Braga',
  'Evora',
  'Sintra',
  'Tavira',
  'Lagos',
  'Coimbra',
  'Aveiro',
  'Leiria',
  'Tomar',
];
const slugOf = (city: string) => `/locations/${city.toLowerCase()}`;
const tableOf = (some: string[]) =>
  ['City\tHeadline', ...some.map((city) => `${city}\tWeb design in ${city}`)].join('\n');

const sitemapOf = (paths: string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>https://acme.example/${path}/</loc></url>`).join('')}</urlset>`;
const citiesJson = JSON.stringify(
  ['Berlin', 'Paris'].map((city) => ({
    slug: city.toLowerCase(),
    title: `Web design in ${city}`,
    intro: `We build shops in ${city}.`,
  })),
  null,
  '\t',
);

describe('a private Gitea repository with an external host, in the console', function () {
  this.timeout(900_000);
  let started: OwnHostConsole;
  let page: Page;
  /** The site's path in the console. */
  let site: string;
  /** Of the page that is made first. */
  let first: string;

  before(async function () {
    started = await startOwnHostConsole(this);
    ({ page } = started);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const textAt = async (url: string) => {
    const dispatcher = new Agent({ connect: { ca: started.authority.ca } });
    return (await fetch(url, { dispatcher })).text();
  };
  const open = (path: string) => page.goto(`${new URL(page.url()).origin}${path}`);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const publish = async () => {
    await started.form.press('Publish');
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  };

  it('is connected after the check has shown an earlier deployment', async () => {
    const { form, gitea, owner, repository, box } = started;
    await started.deployOnce();
    await open('/sites/new');
    await form.type('Repository', repository.url);
    await form.choose('Who serves the pages', 'gitea');
    await form.type('Token', await gitea.createToken(owner, ['write:repository']));
    await form.choose('How pages go live', 'automatic');
    await form.type('URL of the live site', box.productionUrl);
    await page.getByText('More settings of the host').click();
    await form.type('Trusted hosts', box.hosts.join(', '));
    await form.press('Check');
    const found = page.getByRole('list', { name: 'What the check found' });
    await found.getByText('The forge grants the access that the service needs').waitFor();
    await found.getByText('An earlier deployment answers').waitFor();
    await expectScreen(page);
    await form.press('Add site');
    await link('Go to the site').waitFor();
    const [url, secret] = await page.locator('.secret code').allInnerTexts();
    await gitea.createWebhook(repository, {
      url: url!.replace('localhost', '127.0.0.1'),
      secret: secret!,
      events: ['push', 'pull_request', 'status'],
    });
    await link('Go to the site').click();
    await link('New task').waitFor();
    site = new URL(page.url()).pathname;
  });

  /** Fills the table in and starts. @returns the id of the task, or of the batch */
  async function start(some: string[]): Promise<string> {
    await open(`${site}/new-task?template=${encodeURIComponent(slugOf('Austin'))}`);
    await page.getByLabel('Table', { exact: true }).fill(tableOf(some));
    await started.form.press('Use this table');
    await page.getByLabel(`Address of row ${some.length}`, { exact: true }).waitFor();
    await page
      .getByLabel('Facts missing from your table')
      .selectOption({ label: 'Keep Austin’s and list them' });
    await started.form.press('Start');
    await page.waitForURL(/\/(tasks|batches)\/bg-/);
    return new URL(page.url()).pathname.split('/').at(-1)!;
  }

  it('gets a page through a pull request with a preview on the host, and shows what it waits for', async () => {
    const { box } = started;
    first = await start(['Funchal']);
    const { promise: seen, resolve: build } = Promise.withResolvers<void>();
    box.behave(first, { after: seen });
    await page.getByText(/Waiting for the preview build of \w+ at the site's host/).waitFor();
    await link('See it there').waitFor();
    build();
    await link('pull request').waitFor();
    await page.getByText('the pull request is merged after its checks have passed').waitFor();
    const preview = `${box.previewUrl(first)}${slugOf('Funchal')}`;
    await link(preview).waitFor();
    expect(await textAt(preview)).to.include('Web design in Funchal');
    await expectScreen(page);
  });

  it('is shown to people without an account by a link to the host’s preview', async () => {
    await started.form.press('Share');
    await started.form.press('Create link');
    const dialog = page.getByRole('dialog', { name: 'Share' });
    const url = await dialog.locator('.secret code').innerText();
    const stranger = await started.people.come();
    await stranger.goto(url);
    const shown = stranger.getByRole('article', { name: slugOf('Funchal') });
    const preview = `${started.box.previewUrl(first)}${slugOf('Funchal')}`;
    await shown.getByRole('link', { name: preview }).waitFor();
    await shown.getByText('pages on other hosts are not shown here').waitFor();
    expect(await stranger.locator('iframe').count()).to.equal(0);
    await expectScreen(stranger);
    await stranger.context().close();
    await started.form.press('Done');
  });

  it('gets twelve pages through one pull request, with previews on the host', async () => {
    const batchId = await start(cities);
    for (const [at, city] of cities.entries()) {
      const preview = await linkOf(at + 1, 'Preview');
      expect(preview).to.equal(`${started.box.previewUrl(batchId)}${slugOf(city)}`);
      expect(await textAt(preview)).to.include(`Web design in ${city}`);
    }
    await page.getByText('The pages are in a pull request. When you publish').waitFor();
    await expectScreen(page);
    expect(await pulls()).to.deep.equal([false, false]);
  });
  const linkOf = async (row: number, name: string): Promise<string> => {
    const shown = page.getByRole('row', { name: `Row ${row}`, exact: true });
    return (await shown.getByRole('link', { name }).getAttribute('href'))!;
  };
  /** Whether each pull request is merged, the oldest first. */
  async function pulls(): Promise<boolean[]> {
    const { gitea, owner, repository } = started;
    const route = `GET /repos/${repository.path}/pulls?state=all&sort=oldest`;
    const { body } = await gitea.ask<{ merged: boolean }[]>(owner.token, route);
    return body.map(({ merged }) => merged);
  }

  it('is live after the merge, once the live pages were verified', async () => {
    const { productionUrl } = started.box;
    await started.form.press('All 12 are fine');
    await started.form.press('Publish 12 pages');
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    for (const [at, city] of cities.entries()) {
      const live = await linkOf(at + 1, 'Live page');
      expect(live).to.equal(`${productionUrl}${slugOf(city)}`);
      expect(await textAt(live)).to.include(`Web design in ${city}`);
    }
    expect(await pulls()).to.deep.equal([false, true]);
    await page.getByText('The pages went live by a pull request.').waitFor();
    await expectScreen(page);
  });

  it('leaves the merge of pages and batches to people if the team wants that', async () => {
    const { service, form, box, gitea, owner, repository } = started;
    await open(`${site}/settings`);
    await form.choose('How pages go live', 'by-people');
    await page
      .getByRole('region', { name: 'Repository' })
      .getByText('Save', { exact: true })
      .click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { batchId } = await service.client.batches.create(
      [{ targetPageSlug: slugOf('Ovar'), context: 'City: Ovar\nHeadline: Web design in Ovar' }],
      { siteId: site.split('/').at(-1)!, templatePageSlug: slugOf('Austin'), title: 'Ovar' },
    );
    await open(`/batches/${batchId}`);
    await page
      .getByText(
        'The pages are in a pull request. They go live when somebody on your team merges the pull request.',
      )
      .waitFor();
    expect(await linkOf(1, 'Preview')).to.equal(`${box.previewUrl(batchId)}${slugOf('Ovar')}`);
    await expectScreen(page);
    await form.press(`Fine: ${slugOf('Ovar')}`);
    await form.press('Publish 1 page');
    const asked = page.getByRole('dialog');
    await asked.getByText('when somebody on your team merges the pull request').waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();

    await open(`/tasks/${first}`);
    await publish();
    const waits = /Waiting for a person to merge the pull request/;
    await page.getByText(waits).waitFor();
    await expectScreen(page);
    // the editor shows the page with the styles of its host, which the console never asks
    const storageState = await page.context().storageState();
    const apart = await page.context().browser()!.newContext({ storageState });
    const editor = await apart.newPage();
    editor.setDefaultTimeout(240_000);
    await editor.goto(new URL(`/edit/${first}${slugOf('Funchal')}`, page.url()).href);
    await editor.getByRole('button', { name: 'Publish' }).click();
    await editor.getByText(waits).waitFor();
    await until('the merge by people', async () => {
      const route = `POST /repos/${repository.path}/pulls/1/merge`;
      return (await gitea.ask(owner.token, route, { Do: 'merge' })).status === 200;
    });
    await page.getByText('The changes went live by a pull request.').waitFor();
    const live = `${box.productionUrl}${slugOf('Funchal')}`;
    expect(await textAt(live)).to.include('Web design in Funchal');
    await link('Live page').waitFor();
    await expectScreen(page);
    await editor.getByText('/locations/funchal is live.').waitFor();
    await apart.close();
  });

  /** Edits an entry of the data file in its plain rendering. All other bytes of the file stay. */
  async function editCity(repository: GiteaRepository) {
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Edit: Web design in Berlin' }).click();
    const editor = await opened;
    const frame = editor.frameLocator('iframe');
    await frame.getByText('Plain rendering').waitFor();
    await frame.getByRole('textbox', { name: 'intro' }).fill('We build shops & more in Berlin.');
    await editor.getByRole('button', { name: 'Save' }).click();
    await editor.getByText('Saved as a new task.').waitFor();
    const [, , branch] = new URL(editor.url()).pathname.split('/');
    await editor.close();
    const { body } = await started.gitea.ask<{ content: string }>(
      started.owner.token,
      `GET /repos/${repository.path}/contents/src/_data/cities.json?ref=${branch}`,
    );
    expect(Buffer.from(body.content, 'base64').toString()).to.equal(
      citiesJson.replace('shops in Berlin', 'shops & more in Berlin'),
    );
  }

  it('proposes rules for the URLs of pages in Markdown and entries of data files, which a person confirms', async () => {
    const { form, gitea, owner, authority } = started;
    const repository = await gitea.createRepository(owner, {
      'src/content/blog/first.md': '# Our first post\n',
      'src/content/notes/second.md': '# A note\n',
      'src/_data/cities.json': citiesJson,
      'sitemap.xml': sitemapOf(['blog/first', 'cities/berlin', 'cities/paris']),
      'index.html': '<title>Acme</title><h1>Acme</h1>',
    });
    const box = await startHostInBox(gitea, repository, authority);
    try {
      await deployTo({ gitea, owner, repository, box });
      await open('/sites/new');
      await form.type('Repository', repository.url);
      await form.choose('Who serves the pages', 'gitea');
      await form.type('Token', await gitea.createToken(owner, ['write:repository']));
      await form.choose('How pages go live', 'push');
      await form.type('URL of the live site', box.productionUrl);
      await page.getByText('More settings of the host').click();
      await form.type('Trusted hosts', box.hosts.join(', '));
      await form.press('Check');
      const found = page.getByRole('list', { name: 'What the check found' });
      await found.getByText(/at which URLs the pages in src\/content\/blog/).waitFor();
      await found
        .getByText(`src/content/blog/first.md is at ${box.productionUrl}/blog/first/`)
        .waitFor();
      await found.getByText('does not show the pattern of src/content/notes').waitFor();
      await expectScreen(page);
      await form.press('Use /blog/:slug/ for src/content/blog');
      await form.press('Use /cities/:slug/ for src/_data/cities.json');
      const rules = page.getByLabel('URLs of pages in Markdown', { exact: true });
      const proposed = 'src/content/blog = /blog/:slug/\nsrc/_data/cities.json = /cities/:slug/';
      expect(await rules.inputValue()).to.equal(proposed);
      const allRules = `${proposed}\nsrc/content/notes = /notes/:slug`;
      await rules.fill(allRules);
      await form.press('Check');
      await found.getByText('The forge grants the access that the service needs').waitFor();
      expect(await found.getByText('at which URLs').count()).to.equal(0);
      await form.press('Add site');
      await link('Go to the site').click();
      await link('New task').waitFor();
      const sitePath = new URL(page.url()).pathname;
      await editCity(repository);
      await open(`${sitePath}/settings`);
      await page.getByText('More settings of the host').click();
      expect(await rules.inputValue()).to.equal(allRules);
      await expectScreen(page);
    } finally {
      await box.close();
    }
  });
});
