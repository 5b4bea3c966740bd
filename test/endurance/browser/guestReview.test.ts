// Takes long: a guest without an account reviews the pages of a batch on a phone.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectScreen } from '../../helpers/consolePeople.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';

const towns = 'Lisbon Porto Faro Braga Evora Coimbra'.split(' ');
const rows = towns.map((town, index) => ({
  targetPageSlug: `/locations/${town.toLowerCase()}`,
  context: `City: ${town}\nHeadline: Web design in ${town}\nPhone: +351 21 555 01${index}0`,
}));
const comment = '<b>The phone number is old</b>';

describe('a guest with a share link, on a phone', function () {
  this.timeout(300_000);
  let started: OwnConsole | undefined;
  let service: OwnConsole['service'];
  let phone: Page;
  let batchId: string;

  before(async function () {
    started = await startOwnConsole(this);
    ({ service } = started);
    ({ batchId } = await service.client.batches.create(rows, {
      siteId: service.demo.siteId,
      templatePageSlug: '/locations/austin',
      title: 'Portugal',
    }));
    await service.client.batches.waitFor(batchId);
    const { url } = await service.client.batches.share(batchId, { access: 'comment', days: 1 });
    const context = await started.page
      .context()
      .browser()!
      .newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(120_000);
    phone = await context.newPage();
    await phone.goto(url);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const commentsOf = async () => {
    const { json } = await service.request('GET', `/api/v1/agent/batches/${batchId}/notes`);
    return (json as { notes: { kind: string; text: string; state: string }[] }).notes.filter(
      ({ kind }) => kind === 'comment',
    );
  };
  const approvalOf = async () =>
    (await service.request('GET', `/api/v1/agent/batches/${batchId}/approvals`)).json as {
      isApproved: boolean;
      approvals: { name: string }[];
    };

  it('sees one page per screen: what is different, the whole page, and the answers in reach', async () => {
    await phone.getByRole('heading', { level: 1, name: '/locations/' }).waitFor();
    await phone.getByText(`of ${towns.length}`).waitFor();
    const changes = phone.getByRole('region', { name: 'What is different' });
    await changes.getByText('Web design in Lisbon').first().waitFor();
    const bar = phone.getByRole('group', { name: 'Your answer' });
    const box = (await bar.getByRole('button', { name: 'Fine', exact: true }).boundingBox())!;
    expect(box.height).to.be.at.least(44);
    expect(box.y).to.be.above(700).and.below(844);
    await phone.getByRole('region', { name: 'Whole page' }).waitFor();
    if (process.env['SCREENSHOTS']) {
      for (const width of [390, 820, 1440])
        for (const colorScheme of ['light', 'dark'] as const) {
          await phone.emulateMedia({ colorScheme });
          await phone.setViewportSize({ width, height: width === 390 ? 844 : 1000 });
          await phone.screenshot({
            path: `${process.env['SCREENSHOTS']}/guest-${width}-${colorScheme}.png`,
          });
        }
      await phone.emulateMedia({ colorScheme: null });
      await phone.setViewportSize({ width: 390, height: 844 });
    }
    await expectScreen(phone);
  });

  it('says what is wrong, which becomes an open note with the name', async () => {
    await phone.getByRole('button', { name: 'Something is wrong…' }).click();
    await phone.getByLabel(/^On /).fill(comment);
    await phone.getByLabel('Your name').fill('Chris');
    await phone.getByRole('button', { name: 'Send' }).click();
    await phone.getByText(`Chris: ${comment}`).waitFor();
    expect((await commentsOf()).map(({ text, state }) => [text, state])).to.deep.equal([
      [`Chris: ${comment}`, 'open'],
    ]);
    expect((await approvalOf()).isApproved).to.equal(false);
  });

  it('approves the pages that are alike at once, without giving the name again', async () => {
    await phone.getByRole('button', { name: /^Approve \d+ pages alike$/ }).click();
    await phone.getByText('You have looked at all pages').waitFor();
    const { isApproved, approvals } = await approvalOf();
    expect(isApproved).to.equal(true);
    expect(approvals[0]).to.include({ name: 'Chris' });
    const { rows: counts } = await service.client.batches.get(batchId);
    expect(counts).to.include({ published: 0, committed: towns.length });
    await phone.reload();
    await phone.getByText(`${towns.length} answered`).waitFor();
  });
});
