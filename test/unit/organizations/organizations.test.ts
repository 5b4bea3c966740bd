import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { createOrganizations, type Organizations } from '../../../src/organizations/organizations.ts';
import { testDatabase } from '../../helpers/database.ts';

describe('createOrganizations(db)', () => {
  let organizations: Organizations;
  before(async () => {
    organizations = createOrganizations(await testDatabase());
  });

  it('makes organizations, lists them and finds them again', async () => {
    const made = await organizations.create({ name: "Ünïted'; drop table organizations; --" });
    expect(made.organizationId).to.match(/^[0-9a-f-]{36}$/);
    expect(await organizations.get(made.organizationId)).to.deep.equal(made);
    expect(await organizations.list()).to.deep.include(made);
  });

  it('gives each a callback secret of its own, by which a Standard Webhooks library verifies', async () => {
    const [a, b] = [await organizations.create({ name: 'A' }), await organizations.create({ name: 'B' })];
    const secret = await organizations.callbackSecret(a.organizationId);
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).to.have.length(32);
    expect(new Webhook(secret).sign('bg-1', new Date(), '{}')).to.match(/^v1,/);
    expect(await organizations.callbackSecret(a.organizationId)).to.equal(secret);
    expect(await organizations.callbackSecret(b.organizationId)).not.to.equal(secret);
  });

  for (const id of [randomUUID(), 'no-uuid', '', '{}', "' or 1=1 --"])
    it(`does not find ${JSON.stringify(id)}`, async () => {
      const failures = [organizations.get(id), organizations.callbackSecret(id)];
      for (const { status, ...rest } of await Promise.allSettled(failures)) {
        expect(status).to.equal('rejected');
        expect(rest).to.have.nested.property('reason.code', 'NOT_FOUND');
      }
    });
});
