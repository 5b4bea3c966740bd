// Takes long: it starts the real service, and walks in a browser. GitLab itself can't run here:
// test/helpers has a server that follows its documentation. Takes pictures if PICTURES names a folder.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectScreen } from '../../helpers/consolePeople.ts';
import { type GitLabSite, startGitLabSite } from '../../helpers/gitlabInstance.ts';
import { gitlabProject, gitlabToken } from '../../helpers/gitlabServer.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { formOf } from '../../helpers/ownHostConsole.ts';
import { demoPages, pagesIn } from '../../helpers/team/site.ts';
import { until } from '../../helpers/until.ts';

describe('a GitLab project with review apps, in the console', function () {
  this.timeout(600_000);
  let started: GitLabSite;
  let own: OwnConsole;
  let page: Page;
  let form: ReturnType<typeof formOf>;
  /** The site's path in the console. */
  let site: string;

  before(async function () {
    started = await startGitLabSite(pagesIn(demoPages));
    own = await startOwnConsole(this, started.env);
    ({ page } = own);
    page.setDefaultTimeout(120_000);
    form = formOf(page);
  });
  after(async () => {
    await own?.close();
    await started?.[Symbol.asyncDispose]();
  });
  afterEach(async function () {
    await own?.expectNoProblems(this);
  });

  const open = (path: string) => page.goto(`${new URL(page.url()).origin}${path}`);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  it('is added after the check has shown its production environment', async () => {
    const { gitlab, host } = started;
    await open('/sites/new');
    await form.type('Repository', `${gitlab.url}/${gitlabProject}.git`);
    await form.choose('Who serves the pages', 'gitlab');
    await form.type('Token', 'gldt-4711');
    await form.choose('How pages go live', 'automatic');
    await form.type('URL of the live site', `${host.url}/main/`);
    await page.getByText('More settings of the host').click();
    await form.type('URL of the forge’s API', gitlab.apiUrl);
    await form.press('Check');
    await page.getByText('The repository can’t be read').waitFor();
    await form.type('Token', gitlabToken);
    await form.press('Check');
    const found = page.getByRole('list', { name: 'What the check found' });
    await found.getByText('The forge grants the access that the service needs').waitFor();
    await found.getByText('An earlier deployment answers').waitFor();
    await expectScreen(page, 'gitlab-1-check');
    await form.press('Add site');
    await link('Go to the site').waitFor();
    await page.getByText('Enter the secret as its signing token').waitFor();
    await expectScreen(page, 'gitlab-2-webhook');
    const [url, secret] = await page.locator('.secret code').allInnerTexts();
    gitlab.addWebhook({ url: url!.replace('localhost', '127.0.0.1'), signingToken: secret! });
    await link('Go to the site').click();
    await link('New task').waitFor();
    site = new URL(page.url()).pathname;
  });

  it('gets a page with a review app as its preview', async () => {
    await open(`${site}/new-task?template=${encodeURIComponent('/locations/austin')}`);
    await page
      .getByLabel('Table', { exact: true })
      .fill('City\tHeadline\nFunchal\tWeb design in Funchal');
    await form.press('Use this table');
    await page.getByLabel('Address of row 1', { exact: true }).waitFor();
    await page
      .getByLabel('Facts missing from your table')
      .selectOption({ label: 'Keep Austin’s and list them' });
    await form.press('Start');
    await page.waitForURL(/\/tasks\/bg-/);
    const taskId = new URL(page.url()).pathname.split('/').at(-1)!;
    await link(`${started.host.url}/${taskId}/locations/funchal.html`).waitFor();
    await page.getByText('the pull request is merged after its checks have passed').waitFor();
    await expectScreen(page, 'gitlab-3-preview');
  });

  it('is live after somebody has approved the merge request', async () => {
    const { gitlab, host } = started;
    gitlab.state.approvalsLeft = 1;
    await form.press('Publish');
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Waiting for the merge of the pull request').waitFor();
    await until('the missing approval', () => {
      const [one] = gitlab.state.mergeRequests;
      return one?.merge_when_pipeline_succeeds && one.detailed_merge_status === 'not_approved';
    });
    await expectScreen(page, 'gitlab-4-approval');
    gitlab.approve(1);
    await page.getByText('The changes went live by a pull request.').waitFor();
    await link('Live page').waitFor();
    await expectScreen(page, 'gitlab-5-live');
    const live = await link('Live page').getAttribute('href');
    expect(live).to.equal(`${host.url}/main/locations/funchal.html`);
    expect(gitlab.state.mergeRequests.map(({ state }) => state)).to.deep.equal(['merged']);
    expect(new Set(gitlab.deliveries.map(({ status }) => status))).to.deep.equal(new Set([204]));
  });
});
