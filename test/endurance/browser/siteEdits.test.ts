// Takes long: a browser edits a page of a site, and looks at the tasks.
import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { expectAccessible, heading } from '../../helpers/consolePeople.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { citiesBody } from '../../helpers/team/site.ts';
import { until } from '../../helpers/until.ts';

describe('editing the pages of a site in the console', function () {
  this.timeout(300_000);
  let own: OwnConsole;
  let page: Page;
  before(async function () {
    own = await startOwnConsole(this);
    ({ page } = own);
  });
  after(() => own?.close());

  const originOf = () => new URL(own.site).origin;
  const taskList = () => page.getByRole('region', { name: 'Tasks', exact: true });

  /** Opens the page in the editor, which the console does in a new tab. */
  async function openEditor(): Promise<{ editor: Page; frame: Frame }> {
    await page.goto(own.site);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: /^Edit: .*Pricing|^Edit: .*[Pp]rices/ }).click();
    const editor = await opened;
    const frame = await until('the framed page to be editable', async () => {
      const found = editor.frames().find((each) => each.url().includes('/.frame'));
      const isReady = await found
        ?.evaluate<boolean>("document.querySelector('[contenteditable]') !== null")
        .catch(() => false);
      return isReady ? found : undefined;
    });
    return { editor, frame };
  }

  it('leaves no task if nothing is changed', async () => {
    const { editor } = await openEditor();
    expect(new URL(editor.url()).pathname).to.equal(`/edit/${own.service.demo.siteId}/pricing`);
    await editor.locator('#published', { hasText: 'Live' }).waitFor();
    await editor.close();
    await page.goto(`${originOf()}/tasks`);
    await page.getByText('No tasks yet').waitFor();
  });

  it('makes one task of two saves, which is listed once after it was published', async () => {
    const { editor, frame } = await openEditor();
    const save = async (text: string) => {
      await frame.fill('h1', text);
      await editor.getByRole('button', { name: 'Save' }).click();
      await until('saved', async () =>
        (await editor.textContent('#state'))?.includes('Saved. The preview'),
      );
    };
    await save('Prices without a typo');
    await editor.getByText('Saved as a new task.').waitFor();
    const { pathname } = new URL(editor.url());
    expect(pathname).to.match(/^\/edit\/bg-[a-z0-9]{22}\/pricing$/);
    await save('Prices, edited twice');
    expect(new URL(editor.url()).pathname).to.equal(pathname);
    await editor.reload();
    await editor.locator('#published', { hasText: 'Draft' }).waitFor();

    await page.goto(`${originOf()}/tasks/${pathname.split('/')[2]}`);
    await heading('Edit /pricing', page);
    const changes = page.getByRole('region', { name: 'Texts of /pricing' });
    await changes.locator('ins', { hasText: 'Prices, edited twice' }).waitFor();
    expect(await page.evaluate('scrollY')).to.equal(0);
    await expectAccessible(page);
    await editor.getByRole('button', { name: 'Publish' }).click();
    await editor.getByText('/pricing is live.').waitFor();
    await editor.close();
    await page.goto(`${originOf()}/tasks`);
    await taskList().getByText('Live', { exact: true }).waitFor();
    expect(await taskList().getByRole('link').allTextContents()).to.deep.equal(['Edit /pricing']);
  });

  it('shows the changes of a new page against its template, and its patch at the first change', async () => {
    const { service } = own;
    const { siteId } = service.demo;
    const taskId = await service.createTask({ siteId, ...citiesBody(['Lisbon']) });
    await service.waitForTask(taskId);
    await page.goto(`${originOf()}/tasks/${taskId}`);
    const changes = page.getByRole('region', { name: 'Texts of /locations/lisbon' });
    await changes.getByText('compared with its template /locations/austin').waitFor();
    const headline = changes.locator('.change', { hasText: 'Web design in Lisbon that works' });
    await headline.locator('del', { hasText: 'Web design in Austin' }).first().waitFor();
    await expectAccessible(page);
    const files = page.getByRole('button', { name: 'Files', exact: true });
    await files.focus();
    const scrolledTo = await page.evaluate('scrollY');
    await files.press('Enter');
    await until('scrolled', () =>
      page.evaluate("(document.querySelector('.patch')?.scrollTop ?? 0) > 0"),
    );
    expect(await page.evaluate('scrollY')).to.equal(scrolledTo);
  });
});
