import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import {
  createOrganizations,
  type Organizations,
} from '../../../src/organizations/organizations.ts';
import { atTime } from '../../helpers/atTime.ts';
import { testDatabase } from '../../helpers/database.ts';

const DAY = 86_400_000;

describe('createOrganizations(db)', () => {
  let organizations: Organizations;
  before(async () => {
    organizations = createOrganizations(await testDatabase());
  });

  it('creates organizations, lists them and finds them again', async () => {
    const made = await organizations.create({ name: "Ünïted'; drop table organizations; --" });
    expect(made.organizationId).to.match(/^[0-9a-f-]{36}$/);
    expect(await organizations.get(made.organizationId)).to.deep.equal(made);
    expect(await organizations.list()).to.deep.include(made);
  });

  it('gives each organization its own callback secret, which a Standard Webhooks library verifies', async () => {
    const [a, b] = [
      await organizations.create({ name: 'A' }),
      await organizations.create({ name: 'B' }),
    ];
    const secret = await organizations.callbackSecret(a.organizationId);
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).to.have.length(32);
    expect(new Webhook(secret).sign('bg-1', new Date(), '{}')).to.match(/^v1,/);
    expect(await organizations.callbackSecret(a.organizationId)).to.equal(secret);
    expect(await organizations.callbackSecret(b.organizationId)).not.to.equal(secret);
  });

  it('rotates the secret: both sign for a day, then only the new one; a second rotation keeps the newest two', async () => {
    let time = Date.parse('2030-01-01T00:00:00.000Z');
    const organizations = atTime(() => time, createOrganizations(await testDatabase()));
    const { organizationId } = await organizations.create({ name: 'Rotating' });
    const signing = () => organizations.callbackSecrets(organizationId);
    const by = { organizationId, address: '192.0.2.7' };
    const [first] = await signing();
    const made = { rotatedAt: '2030-01-01T00:00:00.000Z', previousUntil: null };
    expect(await organizations.callbackRotation(organizationId)).to.deep.equal(made);
    time += 60_000;
    const { callbackSecret: second, ...times } = await organizations.rotateCallbackSecret(by);
    expect(times).to.deep.equal({
      rotatedAt: '2030-01-01T00:01:00.000Z',
      previousUntil: '2030-01-02T00:01:00.000Z',
    });
    expect(await signing()).to.deep.equal([second, first]);
    time += DAY - 1;
    expect(await signing()).to.deep.equal([second, first]);
    time += 1;
    expect(await signing()).to.deep.equal([second]);
    expect((await organizations.callbackRotation(organizationId)).previousUntil).to.equal(null);
    const [third, fourth] = [
      await organizations.rotateCallbackSecret(by),
      await organizations.rotateCallbackSecret(by),
    ];
    expect(await signing()).to.deep.equal([fourth.callbackSecret, third.callbackSecret]);
    expect(new Set([first, second, third.callbackSecret, fourth.callbackSecret])).to.have.property(
      'size',
      4,
    );
  });

  for (const id of [randomUUID(), 'no-uuid', '', '{}', "' or 1=1 --"])
    it(`does not find ${JSON.stringify(id)}`, async () => {
      const failures = [
        organizations.get(id),
        organizations.callbackSecret(id),
        organizations.callbackSecrets(id),
        organizations.callbackRotation(id),
      ];
      for (const { status, ...rest } of await Promise.allSettled(failures)) {
        expect(status).to.equal('rejected');
        expect(rest).to.have.nested.property('reason.code', 'NOT_FOUND');
      }
    });
});
