// Takes long: it starts Gitea and the real service, and walks in a browser.
import { expectScreen } from '../../helpers/consolePeople.ts';
import { type OwnHostConsole, startOwnHostConsole } from '../../helpers/ownHostConsole.ts';
import { until } from '../../helpers/until.ts';

describe('the check of a host of the team’s own at Gitea, in the console', function () {
  this.timeout(600_000);
  let started: OwnHostConsole;

  before(async function () {
    started = await startOwnHostConsole(this);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const found = () => started.page.getByRole('list', { name: 'What the check found' });
  const check = async () => {
    const answer = started.page.waitForResponse(/\/sites\/check$/);
    await started.form.press('Check');
    await answer;
  };
  /** Checks what is typed. Each text is a part of a line of its own. */
  async function expectFound(...texts: string[]): Promise<void> {
    await check();
    for (const text of texts)
      await found().getByRole('listitem').filter({ hasText: text }).waitFor();
  }

  it('says what the credential lacks, and what to do', async () => {
    const { page, form, gitea, owner, repository, box } = started;
    await page.goto(`${new URL(page.url()).origin}/sites/new`);
    await form.type('Repository', repository.url);
    await form.choose('Who serves the pages', 'gitea');
    await form.type('Address of the live site', box.productionUrl);
    await form.type('Token', 'a'.repeat(40));
    await expectFound('The repository can’t be read', 'Check that the token has not expired');
    await form.type('Token', await gitea.createToken(owner, ['read:repository']));
    await expectFound(
      'The service may not write to it',
      'Give it read and write of repositories, and its account write access to this one.',
    );
    await page.getByText('Mend what is red, and check again.').waitFor();
    await expectScreen(page);
  });

  it('says that nothing was reported, or nothing at a believed host, which a click believes', async () => {
    const { page, form, gitea, owner, box, repository } = started;
    await form.type('Token', await gitea.createToken(owner, ['write:repository']));
    const silent = await gitea.createRepository(owner, { 'index.html': '<h1>A silent host</h1>' });
    await form.type('Repository', silent.url);
    await expectFound('Let the host build a commit, and check again.');
    await started.deployOnce();
    await form.type('Repository', repository.url);
    await form.type('Address of the live site', `https://${box.hosts[1]}`);
    const live = new URL(box.productionUrl).host;
    await expectFound(`The reported ones are at "${live}". Believe those that are yours`);
    await found()
      .getByText(/The live site at \S+ has no page \(status 404\)/)
      .waitFor();
    await expectScreen(page);
    await form.press(`Believe ${live}`);
    await expectFound('A deployment of the past answers');
    await page.getByText('All is well. The site can be added.').waitFor();
  });

  it('says whose reports, and which names of them, were not seen', async () => {
    const { page, form, owner } = started;
    await page.getByText('More about the host').click();
    await form.type('Who reports', 'somebody');
    await form.type('Names of previews’ reports', 'preview');
    await expectFound(
      `"somebody" reported nothing on the last commits. Reports came from "${owner.name}".`,
      'No report on the last commits is named "preview". They are named "host-in-box/production".',
    );
    await page.getByText('Look at the warnings first.').waitFor();
    await form.type('Who reports', '');
    await form.type('Names of previews’ reports', '');
  });

  it('refuses pushes to a protected branch, and leads to pull requests', async () => {
    const { page, form, gitea, repository } = started;
    await gitea.protectBranch(repository, repository.branch);
    await form.choose('How pages go live', 'push');
    await expectFound(
      'The branch main is protected',
      'Publish by pull request, or allow it to push.',
    );
    await form.choose('How pages go live', 'by-people');
    await expectFound('The forge lets the service work');
    await page.getByRole('button', { name: 'Add site' }).click();
    await page.getByRole('link', { name: 'Go to the site' }).click();
    await page.getByRole('link', { name: 'New task' }).waitFor();
  });

  it('says in the settings that no webhook has come yet, until one has', async () => {
    const { page, form, gitea, repository } = started;
    await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
    await expectFound('No webhook of the forge has come yet.');
    await expectScreen(page);
    await form.press('New secret');
    await form.press('Make a new secret');
    const codes = page.getByRole('dialog', { name: 'The webhook' }).locator('code');
    await codes.nth(1).waitFor();
    const [url, secret] = await codes.allInnerTexts();
    const hook = { url: url!.replace('localhost', '127.0.0.1'), secret: secret! };
    const id = await gitea.createWebhook(repository, { ...hook, events: ['push'] });
    await form.press('Done');
    await gitea.ask(repository.owner.token, `POST /repos/${repository.path}/hooks/${id}/tests`);
    await until('the webhook', async () => {
      await check();
      return (await found().getByText('No webhook').count()) === 0;
    });
  });
});
