import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { addMember, addUser } from '../../../src/accounts/addPeople.ts';
import { createCreatorNames } from '../../../src/organizations/creatorNames.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { testDatabase } from '../../helpers/database.ts';

describe('createCreatorNames(db).members(organizationId, userIds)', () => {
  it('names members of the organization, and nobody else', async () => {
    const db = await testDatabase();
    const organizations = createOrganizations(db);
    const [own, other] = await Promise.all(
      ['Own', 'Other'].map((name) => organizations.create({ name })),
    );
    const person = (name: string) => addUser(db, { name, email: `${randomUUID()}@example.com` });
    const [ada, both, stranger, nobody] = [
      await person('Ada'),
      await person('Both'),
      await person('Sam'),
      await person('No'),
    ];
    const join = (organizationId: string, userId: string) =>
      db.transaction().execute((trx) => addMember(trx, { organizationId, userId, role: 'viewer' }));
    await join(own!.organizationId, ada);
    for (const each of [own!, other!]) await join(each.organizationId, both);
    await join(other!.organizationId, stranger);
    const asked = [ada, both, stranger, nobody, randomUUID(), 'no-uuid', "'; drop table users; --"];
    const makers = createCreatorNames(db);
    expect([...(await makers.members(own!.organizationId, asked))].sort()).to.deep.equal(
      [
        [ada, 'Ada'],
        [both, 'Both'],
      ].sort(),
    );
    expect([...(await makers.members(other!.organizationId, [ada, both]))]).to.deep.equal([
      [both, 'Both'],
    ]);
    expect((await makers.members(own!.organizationId, [])).size).to.equal(0);
  });
});
