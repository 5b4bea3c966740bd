// Takes long: it starts Gitea and the real service, builds sites with Eleventy, and walks in a browser.
import { expect } from 'chai';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Agent, fetch } from 'undici';
import { type Authority, createAuthority } from '../../helpers/certificates.ts';
import { expectScreen } from '../../helpers/consolePeople.ts';
import { temporaryFolder } from '../../helpers/database.ts';
import type { GiteaRepository, GiteaUser } from '../../helpers/gitea/client.ts';
import { type Gitea, startGitea } from '../../helpers/gitea/gitea.ts';
import { type HostInBox, startHostInBox } from '../../helpers/hostInBox/hostInBox.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { needProgram } from '../../helpers/programs.ts';
import { demoPages } from '../../helpers/team/site.ts';

/** The pages of a site; Eleventy leaves their addresses as they are. */
const files = Object.fromEntries(
  readdirSync(demoPages, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .map((path) => [path, readFileSync(join(demoPages, path), 'utf8')]),
);
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

describe('a private repository at Gitea with a host of the team’s own, in the console', function () {
  this.timeout(900_000);
  const folder = temporaryFolder();
  let authority: Authority;
  let gitea: Gitea;
  let owner: GiteaUser;
  let repository: GiteaRepository;
  let box: HostInBox;
  let started: OwnConsole;
  let page: Page;

  before(async function () {
    this.timeout(3_600_000); // the first run builds Gitea
    needProgram(this, 'Gitea');
    needProgram(this, 'Chromium');
    authority = await createAuthority();
    const certificates = join(folder.path, 'authority.pem');
    writeFileSync(certificates, authority.ca);
    gitea = await startGitea(authority);
    owner = await gitea.createUser();
    repository = await gitea.createRepository(owner, files);
    box = await startHostInBox(gitea, repository, authority);
    started = await startOwnConsole(this, {
      CALLBACK_ALLOW_PRIVATE: 'true',
      NODE_EXTRA_CA_CERTS: certificates,
    });
    page = started.page;
    page.setDefaultTimeout(240_000); // a machine that builds sites meanwhile
  });
  after(async () => {
    await started?.close();
    await box?.close();
    await gitea?.close();
    folder.remove();
  });
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const choose = (label: string, value: string) =>
    page.getByLabel(label, { exact: true }).selectOption(value);
  const type = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const textAt = async (url: string) => {
    const dispatcher = new Agent({ connect: { ca: authority.ca } });
    return (await fetch(url, { dispatcher })).text();
  };

  /** A push of somebody, which the host builds before there is a site here. */
  async function deployOnce(): Promise<void> {
    const content = Buffer.from('A site of a team.\n').toString('base64');
    const { body } = await gitea.ask<{ commit: { sha: string } }>(
      owner.token,
      `POST /repos/${repository.path}/contents/about.txt`,
      { message: 'Say what this is', content },
    );
    expect(await box.built(body.commit.sha)).to.include({ state: 'success' });
  }

  it('is connected once the check has shown a deployment of the past', async () => {
    await deployOnce();
    await page.goto(`${new URL(page.url()).origin}/sites/new`);
    await type('Repository', repository.url);
    await choose('Who serves the pages', 'gitea');
    await type('Token', await gitea.createToken(owner, ['write:repository']));
    await choose('How pages go live', 'automatic');
    await type('Address of the live site', box.productionUrl);
    await page.getByText('More about the host').click();
    await type('Hosts to believe', box.hosts.join(', '));
    await press('Check');
    const found = page.getByRole('list', { name: 'What the check found' });
    await found.getByText('The forge lets the service work').waitFor();
    await found.getByText('A deployment of the past answers').waitFor();
    await expectScreen(page);
    await press('Add site');
    await page.getByRole('link', { name: 'Go to the site' }).waitFor();
    const [url, secret] = await page.locator('.secret code').allInnerTexts();
    await gitea.createWebhook(repository, {
      url: url!.replace('localhost', '127.0.0.1'),
      secret: secret!,
      events: ['push', 'pull_request', 'status'],
    });
    await page.getByRole('link', { name: 'Go to the site' }).click();
    await page.getByRole('link', { name: 'New task' }).waitFor();
  });

  /** Fills the table in and starts. @returns the id of the task, or of the batch */
  async function start(some: string[]): Promise<string> {
    const site = /\/sites\/[^/]+/.exec(page.url())![0];
    await page.goto(`${origin()}${site}/new-task?template=${encodeURIComponent(slugOf('Austin'))}`);
    await page.getByLabel('Table', { exact: true }).fill(tableOf(some));
    await press('Use this table');
    await page.getByLabel(`Address of row ${some.length}`, { exact: true }).waitFor();
    await page
      .getByLabel('Facts missing from your table')
      .selectOption({ label: 'Keep Austin’s and list them' });
    await press('Start');
    await page.waitForURL(/\/(tasks|batches)\/bg-/);
    return new URL(page.url()).pathname.split('/').at(-1)!;
  }
  const origin = () => new URL(page.url()).origin;

  it('gets a page by a pull request, with a preview of the host, and says what it waits for', async () => {
    const site = page.url();
    const taskId = await start(['Funchal']);
    const { promise: seen, resolve: build } = Promise.withResolvers<void>();
    box.behave(taskId, { after: seen });
    await page.getByText(/Waiting for the build of \w+ by the site's host/).waitFor();
    await page.getByRole('link', { name: 'Watch it there' }).waitFor();
    build();
    await page.getByRole('link', { name: 'pull request', exact: true }).waitFor();
    const preview = `${box.previewUrl(taskId)}${slugOf('Funchal')}`;
    await page.getByRole('link', { name: preview }).waitFor();
    expect(await textAt(preview)).to.include('Web design in Funchal');
    await expectScreen(page);
    await page.goto(site);
  });

  it('gets twelve pages by one pull request, with previews of the host', async () => {
    const batchId = await start(cities);
    for (const [at, city] of cities.entries()) {
      const preview = await linkOf(at + 1, 'Preview');
      expect(preview).to.equal(`${box.previewUrl(batchId)}${slugOf(city)}`);
      expect(await textAt(preview)).to.include(`Web design in ${city}`);
    }
    await expectScreen(page);
    expect(await pulls()).to.deep.equal([false, false]);
  });
  const linkOf = async (row: number, name: string): Promise<string> => {
    const link = page
      .getByRole('row', { name: `Row ${row}`, exact: true })
      .getByRole('link', { name });
    return (await link.getAttribute('href'))!;
  };
  /** Whether each pull request is merged, the oldest first. */
  async function pulls(): Promise<boolean[]> {
    const route = `GET /repos/${repository.path}/pulls?state=all&sort=oldest`;
    const { body } = await gitea.ask<{ merged: boolean }[]>(owner.token, route);
    return body.map(({ merged }) => merged);
  }

  it('is live after the merge, where the live pages were seen', async () => {
    await press('Publish');
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    for (const [at, city] of cities.entries()) {
      const live = await linkOf(at + 1, 'Live page');
      expect(live).to.equal(`${box.productionUrl}${slugOf(city)}`);
      expect(await textAt(live)).to.include(`Web design in ${city}`);
    }
    expect(await pulls()).to.deep.equal([false, true]);
    await expectScreen(page);
  });
});
