// Takes long: a person connects an assistant in a browser, sees it in the settings, and ends it.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createHash } from 'node:crypto';
import { addMember } from '../../../src/accounts/addPeople.ts';
import { bearer } from '../../helpers/api.ts';
import { expectScreen, heading } from '../../helpers/consolePeople.ts';
import { type ConsoleService, startConsole } from '../../helpers/consoleService.ts';
import { type HttpReceiver, startHttpReceiver } from '../../helpers/httpReceiver.ts';
import { formed } from '../../helpers/oauth.ts';
import { password } from '../../helpers/people.ts';
import { needProgram } from '../../helpers/programs.ts';

const verifier = 'v'.repeat(43);
describe('assistants in the console', function () {
  this.timeout(300_000);
  let service: ConsoleService;
  let program: HttpReceiver;
  let page: Page;
  let email: string;
  let userId: string;
  before(async function () {
    needProgram(this, 'Chromium');
    program = await startHttpReceiver(() => 200);
    service = await startConsole();
    const owner = await service.people.owner();
    ({ email } = owner);
    const { json } = await owner.person.get('/account');
    ({ userId } = json['user'] as { userId: string });
    const second = await service.people.organizations.create({ name: 'Zebra Tours' });
    const member = { organizationId: second.organizationId, userId, role: 'viewer' } as const;
    await addMember(service.people.db, member);
    page = await service.open(service.people.browser());
  });
  after(async () => {
    await service?.close();
    await program?.close();
  });
  async function register(client_name: string, redirect: string): Promise<string> {
    const { json } = await service.people.api.request('POST', '/auth/oauth2/register', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name, redirect_uris: [redirect] }),
    });
    return json['client_id'] as string;
  }
  const addressOf = (client_id: string, redirect_uri: string, more = {}) =>
    `${service.origin}/auth/oauth2/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'a state & more',
      ...more,
    })}`;
  const callback = () => program.url('/callback').replace('localhost', '127.0.0.1');
  const toolsWith = (token: string) =>
    service.people.api.request('POST', '/mcp', {
      headers: {
        ...bearer(token),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  it('ask a person who signs in whether a program may act for them, and in which organization', async () => {
    const client = await register('Claude', callback());
    await page.goto(addressOf(client, callback()));
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading('Connect Claude?', page);
    await page.getByText('create and change pages').waitFor();
    await expectScreen(page);
    await page.getByLabel('Organization').selectOption({ label: 'Zebra Tours (viewer)' });
    await page.getByText('It can change nothing').waitFor();
    expect(await page.getByText('create and change pages').count()).to.equal(0);
    await page.getByLabel('Organization').selectOption({ label: 'Acme (owner)' });
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(/\/callback\?/);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('state')).to.equal('a state & more');
    const { json } = await service.people.api.request(
      'POST',
      '/auth/oauth2/token',
      formed({
        grant_type: 'authorization_code',
        client_id: client,
        redirect_uri: callback(),
        code_verifier: verifier,
        code: searchParams.get('code')!,
      }),
    );
    token = json['access_token'] as string;
    expect((await toolsWith(token)).status).to.equal(200);
    const [connection] = await service.people.accounts.assistants.of(userId);
    expect(connection).to.include({ name: 'Claude', role: 'owner' });
    expect(connection!.organization.name).to.equal('Acme');
  });
  let token: string;

  it('are listed in the settings, where the person can disconnect them', async () => {
    await page.goto(`${service.origin}/settings/assistants`);
    await page.getByText('on your computer · Acme').waitFor();
    await expectScreen(page);
    await page.getByRole('button', { name: 'Disconnect Claude', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No assistants yet').waitFor();
    await page.getByText('Nobody has connected an assistant').waitFor();
    expect((await toolsWith(token)).status).to.equal(401);
  });
});
