// Takes long: a browser removes a person, and gives another one a lower role.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createKeys } from '../../../src/organizations/keys.ts';
import { createMakers } from '../../../src/organizations/makers.ts';
import { createTeamKeys } from '../../../src/organizations/teamKeys.ts';
import { expectAccessible } from '../../helpers/consolePeople.ts';
import { type ConsoleService, startConsole } from '../../helpers/consoleService.ts';
import { testDatabase } from '../../helpers/database.ts';
import { anAddress, password } from '../../helpers/people.ts';
import { needProgram } from '../../helpers/programs.ts';
import { until } from '../../helpers/until.ts';

describe('the keys of people who leave, in the console', function () {
  this.timeout(300_000);
  let service: ConsoleService;
  let page: Page;
  let organizationId: string;
  before(async function () {
    needProgram(this, 'Chromium');
    const db = await testDatabase();
    const keys = createKeys(db);
    service = await startConsole({
      app: { keys, teamKeys: createTeamKeys(db), makers: createMakers(db) },
    });
    const { person, ...owner } = await service.people.owner();
    ({ organizationId } = owner);
    page = await service.open(person);
  });
  after(() => service?.close());

  /** An admin who made a key of an admin, and one of a member. */
  async function join(name: string) {
    const { accounts, api, browser } = service.people;
    const { url } = await accounts.linkUser(anAddress(name), { organizationId, role: 'admin' });
    const person = browser();
    const token = new URL(url).hash.slice('#token='.length);
    await person.post('/account/link', { token, name, password });
    const { json } = await person.post('/account/key', { organizationId });
    const make = async (role: string) => {
      const headers = {
        Authorization: `Bearer ${String(json['apiKey'])}`,
        'Content-Type': 'application/json',
      };
      const body = JSON.stringify({ name: `${name}’s, ${role}`, role });
      return (await api.request('POST', '/api/v1/keys', { headers, body })).json[
        'apiKey'
      ] as string;
    };
    return { admin: await make('admin'), member: await make('member') };
  }
  const isInForce = async (key: string) => (await service.people.keys.authenticate(key)) !== null;
  const dialog = () => page.getByRole('dialog');
  const goToMembers = async () => {
    await page.goto(`${service.origin}/settings/members`);
    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .waitFor();
  };

  it('are shown before a removal, and end with it where that is chosen', async () => {
    const [grace, tim] = [await join('Grace'), await join('Tim')];
    await goToMembers();
    await page.getByRole('button', { name: 'Remove Grace' }).click();
    await dialog().getByText('Grace’s, admin').waitFor();
    await dialog().getByText('Grace’s, member').waitFor();
    expect(await dialog().getByText('Tim’s').count()).to.equal(0);
    await expectAccessible(page);
    await dialog().getByLabel('End these keys too').check();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Grace is removed').waitFor();
    await until(
      'the keys to end',
      async () => !(await isInForce(grace.admin)) && !(await isInForce(grace.member)),
    );

    await page.getByRole('button', { name: 'Remove Tim' }).click();
    await dialog().getByText('Tim’s, member').waitFor();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Tim is removed').waitFor();
    expect([await isInForce(tim.admin), await isInForce(tim.member)]).to.deep.equal([true, true]);
  });

  it('of a role above the new one are shown before a lower role', async () => {
    const alan = await join('Alan');
    await goToMembers();
    const role = page.getByLabel('Role of Alan');
    await role.selectOption('member');
    await dialog().getByText('Alan’s, admin').waitFor();
    expect(await dialog().getByText('Alan’s, member').count()).to.equal(0);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await until('the role as it was', async () => (await role.inputValue()) === 'admin');
    await role.selectOption('member');
    await dialog().getByLabel('End these keys too').check();
    await dialog().getByRole('button', { name: 'Change the role' }).click();
    await page.getByText('Alan is member now').waitFor();
    expect([await isInForce(alan.admin), await isInForce(alan.member)]).to.deep.equal([
      false,
      true,
    ]);
    await role.selectOption('admin');
    await page.getByText('Alan is admin now').waitFor();
  });
});
