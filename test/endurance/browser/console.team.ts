import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  expectAccessible,
  expectScreen,
  heading,
  type People,
} from '../../helpers/consolePeople.ts';
import { repositoryName } from '../../../src/console/browser/words/repositoryName.ts';
import { ownerEmail } from '../../helpers/ownConsole.ts';
import { filesWith, type PrivateRepository } from '../../helpers/team/privateRepository.ts';
import type { Service } from '../../helpers/service.ts';
import { until } from '../../helpers/until.ts';
import { git } from '../../helpers/team/workplace.ts';

export const password = 'four plain words here';
/** With all that a URL, a shell or a configuration could read as its own. */
export const token = 'team/+%&?@:#$token';
const wrongToken = 'other/+%&?@:#$token';
const cities = [
  'Lisbon',
  'Porto',
  'Braga',
  'Coimbra',
  'Faro',
  'Évora',
  'Aveiro',
  'Leiria',
  'Guarda',
  'Beja',
];
const row = (city: string) => `${city}\tWeb design in ${city}\tWebsites for the shops of ${city}.`;
const tableOf = (names: string[]) => ['City\tHeadline\tLead', ...names.map(row)].join('\n');

/** What the steps of the walk share. */
export interface Walk {
  service: Service;
  repository: PrivateRepository;
  people: People;
  /** The owner's. */
  page: Page;
  /** The path of the new site in the console. */
  site: string;
  /** The table's task. */
  taskId: string;
  /** Of the person who was invited. */
  member: Page;
}

export const addressIn = ({ service }: Walk, path: string) =>
  `http://localhost:${service.port}${path}`;
const liveAddress = ({ service }: Walk, path: string) =>
  `http://team-website.sites.localhost:${service.port}${path}`;

async function untilLive(walk: Walk, slug: string, wanted: number): Promise<void> {
  await until(`${slug} answers with ${wanted}`, async () => {
    const { status } = await walk.service.request('GET', liveAddress(walk, slug));
    return status === wanted;
  });
}

async function useTable(page: Page, names: string[]): Promise<void> {
  await page.getByRole('link', { name: 'Use as template: Web design in Austin' }).click();
  await page.getByLabel('Table', { exact: true }).fill(tableOf(names));
  await page.getByRole('button', { name: 'Use this table' }).click();
}

/** What a page's session gets for a request. @returns the answer's status */
function statusFor(page: Page, path: string, body: object): Promise<number> {
  const post = async ([where, what]: [string, string]) =>
    (
      await fetch(where, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: what,
      })
    ).status;
  return page.evaluate(post, [path, JSON.stringify(body)] as [string, string]);
}

/** A team's walk from a private repository to live pages, step by step. */
export function walkOfATeam(walk: Walk): void {
  it('adds a private repository with the right token, and explains a wrong one', async () => {
    const { page, repository } = walk;
    await page.goto(addressIn(walk, '/sites/new'));
    await page.getByLabel('Repository', { exact: true }).fill(repository.url);
    const found = page.getByRole('list', { name: 'What the check found' });
    const check = page.getByRole('button', { name: 'Check' });
    const add = page.getByRole('button', { name: 'Add site' });
    await check.click();
    await found.getByText('The repository can’t be read').waitFor();
    await found
      .getByText('If it is private, add an access token (https) or a deploy key (ssh).')
      .waitFor();

    await page.getByLabel('Access').selectOption('token');
    await page.getByLabel('Token').fill(wrongToken);
    await check.click();
    await found
      .getByText('Check that the token has not expired, and that it may read and write')
      .waitFor();
    expect(await add.isDisabled()).to.equal(true);
    await expectAccessible(page);

    await page.getByLabel('Token').fill(token);
    await page.getByLabel('Name', { exact: true }).fill('Team website');
    await page.getByLabel('Folder (optional)').fill('pages');
    await check.click();
    await found.getByText('The repository has no folder "pages". Choose another folder.').waitFor();
    await page.getByLabel('Folder (optional)').fill('website');
    await check.click();
    for (const good of [
      'The repository can be read',
      'The service can write to the repository',
      'The branch is main',
    ])
      await found.getByText(good).waitFor();
    await found.getByText(/The repository has \d+ pages/).waitFor();
    await expectAccessible(page);
    await add.click();
    await heading('Team website', page);
    walk.site = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'Use as template: Web design in Austin' }).waitFor();
    await expectScreen(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(addressIn(walk, '/sites'));
    await page.getByText(repositoryName(repository.url), { exact: true }).waitFor();
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('creates pages from ten rows, and puts them live', async () => {
    const { page } = walk;
    await page.goto(addressIn(walk, '/sites'));
    await page.getByRole('link', { name: 'Team website', exact: true }).click();
    await useTable(page, cities);
    await page.getByRole('button', { name: /^Row 10: .* facts? from Austin/ }).click();
    await page.getByText('These texts stay as they are in the template').waitFor();
    await expectScreen(page);
    await page.getByRole('button', { name: 'Start', exact: true }).click();

    const preview = page.frameLocator(
      'article[aria-label="/locations/lisbon"] iframe[title="Preview"]',
    );
    await preview.getByRole('heading', { name: 'Web design in Lisbon' }).first().waitFor();
    await page.getByRole('article', { name: '/locations/beja' }).waitFor();
    walk.taskId = new URL(page.url()).pathname.split('/').at(-1)!;
    for (const frame of await page.locator('iframe').all()) {
      expect(await frame.getAttribute('sandbox')).to.equal('');
      expect(new URL((await frame.getAttribute('src'))!).hostname).to.match(
        /\.(preview|sites)\.localhost$/,
      );
    }
    expect(await page.locator('iframe[title="Template: /locations/austin"]').count()).to.equal(10);
    await expectScreen(page);

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('link', { name: 'Live page' }).nth(9).waitFor();
    for (const slug of ['/locations/evora', '/locations/beja']) await untilLive(walk, slug, 200);
    const visitor = await walk.people.come();
    await visitor.goto(liveAddress(walk, '/locations/lisbon'));
    await heading('Web design in Lisbon', visitor);
    await visitor.context().close();
  });

  it('shows what is live, a follow-up task beside the earlier page, and what else it publishes', async () => {
    const { page } = walk;
    await page.goto(addressIn(walk, `/tasks/${walk.taskId}`));
    await page.getByText('Live', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: /^Publish/ }).count()).to.equal(0);
    await page.goto(addressIn(walk, '/tasks'));
    // a task and its publish are one entry
    await page.getByRole('row').getByText('Live', { exact: true }).first().waitFor();

    await page.goto(addressIn(walk, walk.site));
    await useTable(page, ['Sado']);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Ready to review').waitFor();
    await page.getByRole('button', { name: 'Follow up' }).click();
    const instruction = 'Change the headline of /locations/sado to "By the river"';
    await page.getByRole('dialog').getByRole('textbox').fill(instruction);
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await page.getByText('Ready to review').waitFor();
    const frame = (title: string) => page.frameLocator(`iframe[title="${title}"]`);
    await frame('Preview').getByRole('heading', { name: 'By the river' }).first().waitFor();
    await frame('Before, not live yet')
      .getByRole('heading', { name: 'Web design in Sado' })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(
        'This also publishes 1 page of the task “1 page from /locations/austin”: /locations/sado',
      )
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  it('creates a working key that is shown once', async () => {
    const { page, service } = walk;
    await page.goto(addressIn(walk, '/settings/keys'));
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Importer');
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog').getByText(/^ak_/);
    const key = (await shown.textContent())!;
    const siteId = walk.site.split('/').at(-1)!;
    const { status, json } = await service.request('POST', '/api/v1/agent/tasks', {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ siteId, prompt: 'Change the headline of /about to "Made by API"' }),
    });
    expect(status).to.equal(200);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Importer').first().waitFor();
    expect(await page.content()).to.not.include(key);
    const kept = JSON.stringify(await page.context().storageState());
    expect(kept).to.not.include('ak_');
    await page.goto(addressIn(walk, `/tasks/${(json as { taskId: string }).taskId}`));
    await page.frameLocator('iframe[title="Preview"]').getByText('Made by API').first().waitFor();
  });

  it('lets an invited member create a page and put it live, but shows them no settings of other people', async () => {
    const { page } = walk;
    await page.goto(addressIn(walk, '/settings/members'));
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail').fill('tim@northwind.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const url = await page.getByRole('dialog').locator('.secret code').textContent();
    await page.getByRole('button', { name: 'Done' }).click();

    const member = await walk.people.come();
    await member.goto(url!);
    await member.getByLabel('Your name').fill('Tim');
    await member.getByLabel('Password').fill(password);
    await expectAccessible(member);
    await member.getByRole('button', { name: 'Create account' }).click();
    await heading('Sites', member);
    await member.getByRole('link', { name: 'Team website', exact: true }).click();
    await useTable(member, ['Tomar']);
    await member.getByRole('button', { name: 'Start', exact: true }).click();
    const preview = member.frameLocator('iframe[title="Preview"]');
    await preview.getByRole('heading', { name: 'Web design in Tomar' }).first().waitFor();
    await member.getByRole('button', { name: 'Publish', exact: true }).click();
    await member.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await member.getByText('By Tim').waitFor();
    await member.getByRole('link', { name: 'Live page' }).waitFor();
    await untilLive(walk, '/locations/tomar', 200);

    await member.goto(addressIn(walk, '/sites'));
    await member.getByRole('link', { name: 'Team website', exact: true }).waitFor();
    expect(await member.getByRole('link', { name: 'Add site' }).count()).to.equal(0);
    await member.goto(addressIn(walk, `${walk.site}/settings`));
    await heading('Team website', member);
    await member.getByRole('link', { name: 'Deployments' }).waitFor();
    for (const role of ['Repository', 'Name and author', 'Remove the site'])
      expect(await member.getByRole('region', { name: role }).count(), role).to.equal(0);
    for (const tab of ['audit', 'callback-secret', 'usage']) {
      await member.goto(addressIn(walk, `/settings/${tab}`));
      await member.getByRole('heading', { name: 'Only admins can see this' }).waitFor();
    }
    await member.goto(addressIn(walk, '/settings/keys'));
    await member.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await member.goto(addressIn(walk, '/settings/members'));
    await member.getByText('tim@northwind.example').first().waitFor();
    expect(await member.getByRole('button', { name: /^(Invite|Remove)/ }).count()).to.equal(0);
    walk.member = member;
  });

  it('shows a viewer the shared pages, and lets them change nothing', async () => {
    const { page, service, member } = walk;
    await page.reload();
    await page.goto(addressIn(walk, `/tasks/${walk.taskId}`));
    const title = await page.getByRole('heading', { level: 1 }).innerText();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('dialog').locator('.secret code').waitFor();
    await page.goto(addressIn(walk, '/settings/members'));
    await page.getByLabel('Role of Tim').selectOption('viewer');
    await page.getByRole('button', { name: 'Change the role' }).click();
    await page.getByText('Tim now has the role viewer').waitFor();
    for (const path of [
      '/',
      walk.site,
      `/tasks/${walk.taskId}`,
      '/batches/bg-1',
      '/settings/members',
    ]) {
      await member.goto(addressIn(walk, path));
      await heading(path.startsWith('/settings') ? 'Settings' : 'Shared with you', member);
    }
    expect(
      await member.getByRole('link', { name: /^(Sites|Tasks|Members|API keys)$/ }).count(),
    ).to.equal(0);
    await member.goto(addressIn(walk, '/'));
    const row = member.getByRole('row', { name: title });
    await row.getByText('Team website').waitFor();
    await expectScreen(member);
    await row.getByRole('link', { name: title }).click();
    await heading('Team website', member);
    const article = member.getByRole('article', { name: '/locations/guarda' });
    // A frame loads once it is near the window.
    await article.scrollIntoViewIfNeeded();
    await article
      .frameLocator('iframe')
      .getByRole('heading', { name: 'Web design in Guarda' })
      .first()
      .waitFor();
    expect(await member.getByRole('link', { name: /^Edit/ }).count()).to.equal(0);
    expect(
      await member.getByRole('button', { name: /^(Share|Publish|Drop|End)/ }).count(),
    ).to.equal(0);
    await expectScreen(member);
    await member.getByRole('link', { name: 'Shared with you' }).click();
    await heading('Shared with you', member);
    const { organizationId } = service.demo;
    const siteId = walk.site.split('/').at(-1);
    for (const [path, body, status] of [
      ['/account/key', { organizationId }, 403],
      ['/api/v1/agent/tasks', { siteId, prompt: 'Change the headline of /about to "Mine"' }, 401],
      [`/api/v1/agent/tasks/${walk.taskId}/publish`, {}, 401],
      [`/api/v1/agent/tasks/${walk.taskId}/shares`, { access: 'edit' }, 401],
      [`/edit/${walk.taskId}/.publish`, {}, 403],
    ] as const)
      expect(await statusFor(member, path, body), path).to.equal(status);
    await page.goto(addressIn(walk, '/settings/shared-links'));
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the link' }).click();
    await page.getByRole('heading', { name: 'No active links' }).waitFor();
    await member.reload();
    await member.getByRole('heading', { name: 'Nothing is shared with you yet' }).waitFor();

    await member.goto(addressIn(walk, `/edit/${walk.taskId}/locations/guarda`));
    await member.getByRole('link', { name: 'Sign in as somebody else' }).click();
    await heading('Sign in as somebody else', member);
    await expectAccessible(member);
    await member.getByRole('button', { name: 'Sign out, then sign in' }).click();
    await member.getByLabel('E-mail').fill(ownerEmail);
    await member.getByLabel('Password').fill(password);
    await member.getByRole('button', { name: 'Sign in' }).click();
    await member.frameLocator('#frame').getByText('Web design in Guarda').first().waitFor();
    await member.context().close();
  });

  it('puts an earlier version live again with a new commit', async () => {
    const { page, repository } = walk;
    const { place } = repository;
    const before = place.head();
    await page.goto(addressIn(walk, `${walk.site}/deployments`));
    await page
      .getByRole('row', { name: /\d pages? from/ })
      .first()
      .getByText(/\d pages? new/)
      .waitFor();
    await page.getByRole('button', { name: 'Put live again' }).last().click();
    await page
      .getByRole('dialog')
      .getByText(/^11 pages would be removed: \/locations\//)
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Put live again' }).click();
    await heading(/^Restored: version of [A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d\d$/, page);
    await page.getByRole('article', { name: '/locations/lisbon' }).getByText('Deleted').waitFor();
    for (const slug of ['/locations/lisbon', '/locations/tomar']) await untilLive(walk, slug, 404);
    await untilLive(walk, '/locations/austin', 200);
    const idOf = (what: string) => git(place.remote, 'rev-parse', what);
    const first = git(place.remote, 'rev-list', '--max-parents=0', 'main');
    expect(idOf('main^')).to.equal(before);
    expect(idOf('main:website')).to.equal(idOf(`${first}:website`));

    await page.goto(addressIn(walk, `${walk.site}/deployments`));
    const live = page.getByRole('row').filter({ has: page.getByText('Live', { exact: true }) });
    await live.getByText(place.head().slice(0, 8)).waitFor();
    expect(await live.count()).to.equal(1);
  });

  it('keeps the token out of pages, URLs, logs, histories and files', async () => {
    const { page, people, service } = walk;
    await page.goto(addressIn(walk, `${walk.site}/settings`));
    await page.getByRole('region', { name: 'Repository' }).getByLabel('Access').waitFor();
    const { text } = await service.request('GET', `/api/v1${walk.site}`);
    const texts = [text, await page.content(), service.launched.log(), ...people.addresses];
    for (const secret of [token, wrongToken])
      for (const form of [secret, encodeURIComponent(secret)])
        expect(texts.filter((each) => each.includes(form))).to.deep.equal([]);
    expect(filesWith(service.dataDir, token, wrongToken)).to.deep.equal([]);
    expect(
      filesWith(service.dataDir, 'Web design in Lisbon').join(),
      'histories can be searched',
    ).to.contain('temporal');
  });
}
