// Takes long: a service of its own, and a browser.
import { expect } from 'chai';
import { expectScreen, heading } from '../../helpers/consolePeople.ts';
import { type HttpReceiver, startHttpReceiver } from '../../helpers/httpReceiver.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { startSmtp } from '../../helpers/smtpReceiver.ts';
import { until } from '../../helpers/until.ts';

describe('webhooks in the console', function () {
  this.timeout(300_000);
  let own: OwnConsole;
  let receiver: HttpReceiver;
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  before(async function () {
    receiver = await startHttpReceiver(() => 204);
    smtp = await startSmtp();
    own = await startOwnConsole(this, {
      CALLBACK_ALLOW_PRIVATE: 'true',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'tasks@example.com',
    });
  });
  afterEach(function () {
    return own.expectNoProblems(this);
  });
  after(async () => {
    await own?.close();
    await receiver?.close();
    await smtp?.close();
  });

  it('are created with a secret that is shown once, tried out, sent again and deleted', async () => {
    const { page, service } = own;
    await page.goto(`http://localhost:${service.port}/settings/webhooks`);
    await page.getByText('No endpoints yet').waitFor();
    await expectScreen(page);
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(receiver.url('/hook'));
    await dialog.getByLabel('Description').fill('Release calendar');
    await dialog.getByLabel('A task is done').uncheck();
    await expectScreen(page);
    await dialog.getByRole('button', { name: 'Create endpoint' }).click();
    const secret = await dialog.locator('code').textContent();
    expect(secret).to.match(/^whsec_/);
    await expectScreen(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Log of Release calendar' }).click();
    expect(await page.locator('body').innerText()).not.to.include(secret);

    await page.getByRole('button', { name: 'Send a test event' }).click();
    await receiver.deliveries('/hook', 1);
    const reload = page.getByRole('button', { name: 'Reload' });
    const isShown = async (text: string) => {
      await reload.click();
      return (await page.getByText(text).count()) > 0;
    };
    await until('the delivery is logged', () => isShown('1 attempt · status 204'));
    await expectScreen(page);
    await page.getByRole('button', { name: /^Redeliver endpoint.test/ }).click();
    await receiver.deliveries('/hook', 2);
    const [first, second] = receiver.received('/hook');
    expect(second!.headers['webhook-id']).to.equal(first!.headers['webhook-id']);
    await until('the redelivery is logged', () => isShown('2 attempts · status 204'));

    await page.getByRole('button', { name: 'Disable Release calendar' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete Release calendar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No endpoints yet').waitFor();
  });

  it('leave the choice of e-mails to each person', async () => {
    const { page, service } = own;
    await page.goto(`http://localhost:${service.port}/settings/you`);
    await heading('Settings', page);
    const choice = page.getByLabel('Send me e-mails about what waits for me');
    expect(await choice.isChecked()).to.equal(true);
    await choice.uncheck();
    await page.getByText('You will get no more e-mails').waitFor();
    await expectScreen(page);
    await page.reload();
    await choice.waitFor();
    expect(await choice.isChecked()).to.equal(false);
  });
});
