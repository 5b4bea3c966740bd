// Takes long: browsers of an owner and of a member look at how they can leave.
import type { Page } from 'playwright-core';
import { createKeys } from '../../../src/organizations/keys.ts';
import { createMakers } from '../../../src/organizations/makers.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createTeamKeys } from '../../../src/organizations/teamKeys.ts';
import { expectAccessible } from '../../helpers/consolePeople.ts';
import { type ConsoleService, startConsole } from '../../helpers/consoleService.ts';
import { testDatabase } from '../../helpers/database.ts';
import { anAddress, password } from '../../helpers/people.ts';
import { needProgram } from '../../helpers/programs.ts';

describe('leaving an organization, in the console', function () {
  this.timeout(300_000);
  let service: ConsoleService;
  let owner: Page;
  let organizationId: string;
  before(async function () {
    needProgram(this, 'Chromium');
    const db = await testDatabase();
    const stores = { organizations: createOrganizations(db), makers: createMakers(db) };
    service = await startConsole({
      app: { ...stores, keys: createKeys(db), teamKeys: createTeamKeys(db) },
    });
    const { person, ...made } = await service.people.owner();
    ({ organizationId } = made);
    owner = await service.open(person);
  });
  after(() => service?.close());

  async function join(name: string, role: 'viewer' | 'member' | 'admin') {
    const { accounts, browser } = service.people;
    const { url } = await accounts.linkUser(anAddress(name), { organizationId, role });
    const person = browser();
    await person.post('/account/link', {
      token: new URL(url).hash.slice('#token='.length),
      name,
      password,
    });
    return service.open(person);
  }
  async function cardOf(page: Page, tab = 'organization') {
    await page.goto(`${service.origin}/settings/${tab}`);
    const card = page.getByRole('region', { name: 'Leave' });
    await card.waitFor();
    return card;
  }
  const appoint = /make somebody else an owner/;

  for (const role of ['admin', 'member', 'viewer'] as const)
    it(`lets ${role === 'admin' ? 'an' : 'a'} ${role} leave`, async () => {
      const page = await join(`Tim the ${role}`, role);
      const card = await cardOf(page, role === 'viewer' ? 'you' : 'organization');
      await card.getByText('Somebody must invite you to come back').waitFor();
      await card.getByRole('button', { name: /^Leave/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
      await page.getByText(/^You left/).waitFor();
      await page.context().close();
    });

  it('tells the only owner to make somebody else an owner, who may leave then', async () => {
    const other = await join('Grace', 'member');
    const card = await cardOf(owner);
    await card.getByRole('button', { name: /^Leave/ }).click();
    const dialog = owner.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await dialog.getByText(appoint).waitFor();
    await expectAccessible(owner);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await owner.getByRole('link', { name: 'Members', exact: true }).click();
    await owner.getByLabel('Role of Grace').selectOption('owner');
    await owner.getByText('Grace is owner now').waitFor();
    await owner.getByRole('link', { name: 'Organization', exact: true }).click();
    await card.getByRole('button', { name: /^Leave/ }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await owner.getByText(/^You left/).waitFor();
    await cardOf(other);
  });
});
