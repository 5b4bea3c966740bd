// Takes long: a browser does what a person at the editor does.
import { expect } from 'chai';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { grantLifetimes } from '../../../src/editor/grants.ts';
import { startBrowser } from '../../helpers/browser.ts';
import { expectAccessible } from '../../helpers/consolePeople.ts';
import { needProgram } from '../../helpers/programs.ts';
import { type EditingHost, startEditing } from '../../helpers/editingHost.ts';
import { git } from '../../helpers/team/git.ts';
import { until } from '../../helpers/until.ts';

const source = `<!doctype html>\r
<html lang=en><title>Old &amp; title</title><meta name="description" content='Old description'>\r
<link rel=stylesheet href=/s.css>\r
<body class="a"><h1>  Old
  headline  </h1>\r
<p>Call <a href=/x>us</a> <b>today</b>, please<br>or   write</p>\r
<p><button type=button>Send it</button></p><select><option>One</option></select>\r
<pre>a
  b</pre><img src=i.png alt="An &quot;image&quot;"></body></html>\r
`;

describe('the editor in a browser', function () {
  this.timeout(300_000);
  let editing: EditingHost;
  let browser: Browser;
  let started: Awaited<ReturnType<typeof startBrowser>>;
  let context: BrowserContext;
  let taskId: string;
  let problems: string[];

  before(async function () {
    needProgram(this, 'Chromium');
    started = await startBrowser();
    ({ browser } = started);
    editing = await startEditing();
  });
  after(async () => {
    await started?.close();
    await editing?.close();
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(120_000);
    problems = [];
    taskId = await editing.completeTask(
      { '/a': source, '/b': '<h1>B</h1>' },
      { 's.css': 'h1{color:rgb(1,2,3)}' },
    );
  });
  afterEach(async () => {
    await context.close();
    editing.clock.now = () => Date.now();
  });

  const linkTo = async (body = {}) => String((await editing.link(taskId, body)).json['url']);
  const preview = async (path = '/a') => (await editing.host.preview(taskId, path)).text;
  const frameOf = (page: Page): Promise<Frame> =>
    until('the framed page to be editable', async () => {
      const frame = page.frames().find((each) => each.url().includes('/.frame'));
      const isReady = await frame
        ?.evaluate<boolean>("document.querySelector('[contenteditable]') !== null")
        .catch(() => false);
      return isReady ? frame : undefined;
    });
  /** The frame loads anew meanwhile. */
  const untilHeadline = (page: Page, text: string) =>
    until(`the headline ${text}`, async () => {
      const frame = await frameOf(page);
      return (await frame.textContent('h1').catch(() => '')) === text;
    });
  const stateOf = (page: Page, text: string) =>
    until(`"${text}"`, async () => (await page.textContent('#state'))?.includes(text));

  async function open(url?: string): Promise<{ page: Page; frame: Frame }> {
    const page = await context.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(url ?? (await linkTo()));
    return { page, frame: await frameOf(page) };
  }

  /** Presses Tab until the focus is where it should be. */
  async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
    for (let i = 0; i < 60 && !(await isThere()); i++) await page.keyboard.press('Tab');
    expect(await isThere()).to.equal(true);
  }
  const hasFocus = (frame: Frame, selector: string) => () =>
    frame.evaluate<boolean>(
      `document.hasFocus() && (document.activeElement?.matches('${selector}') ?? false)`,
    );

  it('opens a link, removes its key from the address bar, and shows the page as its preview does', async () => {
    const { page, frame } = await open();
    expect(page.url()).to.equal(`${editing.origin()}/edit/${taskId}/a`);
    expect(await page.title()).to.equal('Edit /a');
    const color = () => frame.evaluate("getComputedStyle(document.querySelector('h1')).color");
    expect(await frame.textContent('h1')).to.equal('Old headline');
    await until('the styles of the preview', async () => (await color()) === 'rgb(1, 2, 3)');
    expect(problems).to.deep.equal([]);
  });

  it('says that it loads until the page is there', async () => {
    const page = await context.newPage();
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\.page$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(await linkTo());
    const loading = page.getByText('Loading the page and its texts…');
    await loading.waitFor();
    await expectAccessible(page);
    answer();
    await frameOf(page);
    await loading.waitFor({ state: 'hidden' });
  });

  it('lets people edit a headline in place by keyboard, and saves it without changing another byte', async () => {
    const { page, frame } = await open();
    await tabTo(page, hasFocus(frame, 'h1'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('New <headline> & more');
    await stateOf(page, '1 unsaved change');
    await page.keyboard.press('Control+S');
    await stateOf(page, 'Saved');
    expect(await preview()).to.equal(
      source.replace('Old\n  headline', 'New &lt;headline&gt; &amp; more'),
    );
    expect(problems).to.deep.equal([]);
  });

  it('lets people edit a page in Markdown in its plain rendering, with its front matter as fields', async () => {
    const markdown =
      "---\r\ntitle: 'It''s here' # in the tab\r\nteam:\r\n  - role: Head  of shop\r\n---\r\n\r\n# Our *old* shop #\r\n";
    taskId = await editing.completeTask({ '/content/a': markdown });
    const { page, frame } = await open();
    await frame.getByText('Plain rendering').waitFor();
    const type = async (label: string, text: string) => {
      await frame.getByRole('textbox', { name: label }).first().click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    };
    expect(await frame.locator('.front-matter p').allInnerTexts()).to.deep.equal([
      "title: It's here",
      'team.0.role: Head of shop',
    ]);
    await type('Page title', "It's new: here");
    await type('team', 'Cook & baker');
    await type('Heading 1', 'My ');
    await stateOf(page, '3 unsaved changes');
    await page.keyboard.press('Control+S');
    await stateOf(page, 'Saved');
    expect(await preview('/content/a')).to.include("<title>It's new: here</title>");
    const ref = `refs/agent-tasks/${taskId}`;
    expect(git(editing.host.team.remote, 'show', `${ref}:content/a.md`)).to.equal(
      markdown
        .replace("It''s here", "It''s new: here")
        .replace('Head  of shop', 'Cook & baker')
        .replace('Our *', 'My *')
        .trim(),
    );
    expect(problems).to.deep.equal([]);
  });

  it('keeps every part of a text whatever people delete, and moves between parts with the arrow keys', async () => {
    const { page, frame } = await open();
    await tabTo(page, hasFocus(frame, 'p slot-text'));
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.type('Ring');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('our team');
    await page.keyboard.press('Control+S');
    await stateOf(page, 'Saved');
    expect(await preview()).to.equal(
      source.replace('Call <a href=/x>us</a>', 'Ring<a href=/x>our team</a>'),
    );
  });

  it('shows a conflict with both versions, and loses neither', async () => {
    const [mine, theirs] = [await open(), await open()];
    await theirs.frame.locator('h1').fill('Theirs');
    await theirs.page.click('#save');
    await stateOf(theirs.page, 'Saved');
    await mine.frame.locator('h1').fill('Mine');
    await mine.page.getByRole('textbox', { name: 'Page title' }).fill('My title');
    await mine.page.click('#save');
    const dialog = mine.page.getByRole('dialog');
    await dialog.waitFor();
    const texts = await Promise.all(
      (await dialog.locator('textarea').all()).map((area) => area.inputValue()),
    );
    expect(texts).to.have.members(['Mine', 'Theirs', 'My title', 'Old & title']);
    await dialog.getByRole('button', { name: 'Apply my changes' }).click();
    await stateOf(mine.page, '2 unsaved changes');
    expect(await preview()).to.equal(source.replace('Old\n  headline', 'Theirs'));
    await mine.page.click('#save');
    await stateOf(mine.page, 'Saved');
    expect(await preview()).to.equal(
      source.replace('Old\n  headline', 'Mine').replace('Old &amp; title', 'My title'),
    );
  });

  it('saves the source exactly as typed, including line ends, and shows its page', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Source' }).click();
    const code = page.locator('#code');
    const changed = (await code.inputValue()).replace('<b>today</b>', '<i>now</i>');
    await code.fill(changed);
    await page.click('#save');
    await stateOf(page, 'Saved');
    expect(await preview()).to.equal(source.replace('<b>today</b>', '<i>now</i>'));
    await page.getByRole('button', { name: 'Page', exact: true }).click();
    await until('the page of the source', async () => {
      const frame = await frameOf(page);
      return (await frame.textContent('i').catch(() => '')) === 'now';
    });
  });

  it('keeps what was typed when the session ends, and saves it after a new link was opened', async () => {
    const { page, frame } = await open();
    await frame.locator('h1').fill('Typed long ago');
    const later = Date.now() + grantLifetimes.session;
    editing.clock.now = () => later;
    await page.click('#save');
    await page.getByRole('alert').getByText('This editing session has ended').waitFor();
    expect(await frame.textContent('h1')).to.equal('Typed long ago');
    await open();
    await page.click('#save');
    await stateOf(page, 'Saved');
    expect(await preview()).to.contain('Typed long ago');
  });

  it('leads from a note to its text, and lets people choose a link and an image', async () => {
    const other =
      '<h1>C</h1><p>From 99 a month</p><a href="/b">Read on</a><img src="i.png" alt="A shop">';
    taskId = await editing.completeTask(
      { '/b': '<h1>B</h1>', '/c': other },
      { 'i.png': 'i', 'j.png': 'j' },
    );
    const task = editing.tasks.get(taskId)!;
    if (task.finished?.status === 'completed')
      task.finished.output.notes = [
        { page: '/c', kind: 'price', text: '/c: the price 99 is from the template', value: '99' },
        { page: '/b', kind: 'price', text: '/b: another page', value: 'B' },
      ];
    const { page, frame } = await open(await linkTo({ slug: '/c' }));
    await page.locator('#notes .note').waitFor();
    expect(await page.locator('#published').textContent()).to.equal('Draft');
    expect(await page.locator('#notes li .note').allTextContents()).to.deep.equal([
      'the price 99 is from the template',
    ]);
    await page.locator('#notes .note').click();
    await until('the text to have the focus', () =>
      frame.evaluate<boolean>("document.activeElement.textContent === 'From 99 a month'"),
    );

    await page.locator('summary', { hasText: 'Links' }).click();
    await page.getByLabel('Link target').fill('https://elsewhere.example/');
    await page.locator('summary', { hasText: 'Images' }).click();
    await page.getByLabel('Image file').fill('/j.png');
    await page.getByRole('button', { name: 'Save' }).click();
    await stateOf(page, 'Saved. The preview shows your changes');
    expect(await preview('/c'))
      .to.contain('href="https://elsewhere.example/"')
      .and.to.contain('src="j.png"');

    await page.getByLabel('Link target').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Save' }).click();
    await until('the reason', async () =>
      (await page.locator('#notice-text').textContent())?.startsWith('a link'),
    );
  });

  describe('asks in a dialog that works by keyboard', () => {
    const dialogOf = (page: Page) => page.getByRole('dialog');
    const focusOn = (page: Page, text: string) =>
      until(`the focus on ${text}`, () =>
        page.evaluate<boolean>(`document.activeElement.textContent === '${text}'`),
      );

    it('before it discards what was typed', async () => {
      const { page, frame } = await open();
      await frame.locator('h1').fill('Typed');
      await stateOf(page, '1 unsaved change');
      const discard = page.locator('#discard');
      await discard.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Discard what you typed?' });
      await dialog.waitFor();
      await focusOn(page, 'Cancel');
      await page.keyboard.press('Control+S');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await focusOn(page, 'Discard');
      expect(await frame.textContent('h1')).to.equal('Typed');
      await stateOf(page, '1 unsaved change');

      await page.keyboard.press('Enter');
      await dialog.waitFor();
      await page.keyboard.press('Tab');
      await focusOn(page, 'Discard');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await stateOf(page, 'No unsaved changes');
      await untilHeadline(page, 'Old headline');
      expect(await preview()).to.equal(source);
      expect(problems).to.deep.equal([]);
    });

    it('before it puts pages of other tasks live', async () => {
      const below = await editing.completeTask({ '/below': '<h1>Below</h1>' });
      Object.assign(editing.tasks.get(taskId)!, { baseTaskId: below });
      const cookies = (await editing.signIn('member')).split('; ').map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        return { name, value, url: editing.origin() };
      });
      await context.addCookies(cookies);
      const { page } = await open(`${editing.origin()}/edit/${taskId}/a`);
      const before = editing.published.length;
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialogOf(page).getByText('This also publishes 1 page of the task').waitFor();
      expect(await dialogOf(page).textContent()).to.contain('/below');
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'detached' });
      await stateOf(page, 'No unsaved changes');
      expect(editing.published).to.have.length(before);

      await page.route(/\.publish$/, async (route) => {
        const response = await route.fetch();
        if (route.request().method() === 'POST') await editing.putLive(taskId);
        await route.fulfill({ response });
      });
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialogOf(page).getByRole('button', { name: 'Publish' }).click();
      await page.getByText('/a is live.').waitFor();
      expect(editing.published).to.have.length(before + 1);
    });
  });

  describe('a hostile page', () => {
    const hostile = `<!doctype html><base href="https://evil.test/" target="_top"><h1>Old</h1>
<script>parent.postMessage({type:'agent-editor-frame',digest:'x'},'*',[new MessageChannel().port2]);document.title='ran';window.ran=1</script>
<img src="data:," onerror="window.ran=2"><svg onload="window.ran=3"></svg><a id=top href="/elsewhere" target=_top>Leave</a>
<a id=js href="javascript:window.ran=4">Script</a><meta http-equiv=refresh content="0;url=/edit/x">
<form id=form action="/api/v1/agent/tasks" method=post><button id=send>Post</button></form><iframe srcdoc="<script>top.ran=5</script>"></iframe>
<slot-text contenteditable data-text="s1 0">Forged</slot-text>`;
    let page: Page;
    let frame: Frame;
    let requests: string[];

    beforeEach(async () => {
      taskId = await editing.completeTask({ '/a': hostile });
      requests = [];
      context.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
      ({ page, frame } = await open());
    });

    it('runs none of its scripts, and its links, forms and refreshes lead nowhere', async () => {
      for (const selector of [
        '#top slot-text, #top',
        '#js slot-text, #js',
        '#send slot-text, #send',
      ]) {
        await frame.locator(selector).first().click();
        await page.keyboard.press('Enter');
      }
      await frame.evaluate("document.querySelector('#form').submit()");
      expect(await frame.evaluate('[window.ran, document.title]')).to.deep.equal([undefined, '']);
      expect(page.url()).to.equal(`${editing.origin()}/edit/${taskId}/a`);
      expect(frame.url()).to.contain('/.frame');
      expect(
        requests.filter((request) => /^POST (?!.*\.session)|elsewhere|evil|edit\/x/.test(request)),
      ).to.deep.equal([]);
      expect(await page.evaluate('window.ran')).to.equal(undefined);
    });

    it('reaches neither the editor nor cookies, storage, the API or the top, even if its script ran', async () => {
      const outcome = await frame.evaluate(`(async () => {
        const failure = async (work) => {
          try {
            await work();
            return 'worked';
          } catch (error) {
            return error.name;
          }
        };
        return {
          origin: self.origin,
          parent: await failure(() => parent.document.body),
          cookies: await failure(() => document.cookie),
          storage: await failure(() => localStorage.length),
          page: await failure(() => fetch('/edit/${taskId}/.page?slug=/a', { credentials: 'include' })),
          api: await failure(() => fetch('/api/v1/agent/tasks')),
          top: await failure(() => top.location.assign('https://evil.test/')),
          popup: open('about:blank') === null ? 'none' : 'opened',
        };
      })()`);
      expect(outcome).to.deep.equal({
        origin: 'null',
        parent: 'SecurityError',
        cookies: 'SecurityError',
        storage: 'SecurityError',
        page: 'TypeError',
        api: 'TypeError',
        top: 'SecurityError',
        popup: 'none',
      });
      expect(page.url()).to.equal(`${editing.origin()}/edit/${taskId}/a`);
    });

    it("can't change anything with messages that match no text", async () => {
      await frame.evaluate(`{
        for (const data of [null, 1, 'edit', { type: 'edit', id: 's1', texts: ['x'] }, { type: 'save' }])
          parent.postMessage(data, '*');
      }`);
      await page.evaluate(
        "postMessage({ type: 'agent-editor-frame' }, '*', [new MessageChannel().port2])",
      );
      await frame.locator('h1').fill('New');
      await stateOf(page, '1 unsaved change');
      await page.click('#save');
      await stateOf(page, 'Saved');
      expect(await preview()).to.equal(hostile.replace('<h1>Old', '<h1>New'));
    });
  });
});
