import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Kysely } from 'kysely';
import { createEventMails, type EventMails } from '../../src/accounts/eventMails.ts';
import { createMail } from '../../src/accounts/mail.ts';
import type { NewEvent } from '../../src/contract/events.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import type { Schema } from '../../src/storage/schema.ts';
import { testDatabase } from '../helpers/database.ts';
import { startSmtp } from '../helpers/smtpReceiver.ts';

const event: NewEvent = {
  type: 'task.failed',
  eventId: 'bg-1-failed',
  timestamp: '2026-11-21T07:00:24.120Z',
  data: {
    taskId: 'bg-1',
    siteId: '2ccccd9d-5b1e-4b77-8593-be03be951734',
    title: 'Prices\r\nBcc: everybody@example.com',
    failureKind: 'input',
    errorMessage: 'The template does not exist',
  },
};
const url = 'https://tasks.example/tasks/bg-1';

describe('createEventMails(options)', function () {
  this.timeout(30_000);
  let db: Kysely<Schema>;
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  let mails: EventMails;
  let organizationId: string;
  const mailsBy = (smtpUrl: string | undefined) =>
    createEventMails({
      db,
      mail: createMail({ smtpUrl, from: 'tasks@example.com', log: { warn: () => undefined } }),
      publicUrl: () => new URL('https://tasks.example'),
    });
  before(async () => {
    db = await testDatabase();
    smtp = await startSmtp();
    mails = mailsBy(smtp.url);
    ({ organizationId } = await createOrganizations(db).create({ name: 'Mails' }));
  });
  after(() => smtp?.close());

  async function addPerson(role: string) {
    const [userId, now] = [randomUUID(), new Date()];
    const email = `${userId}@example.com`;
    const times = { created_at: now, updated_at: now };
    await db
      .insertInto('users')
      .values({ id: userId, name: 'Ada', email, email_verified: true, ...times })
      .execute();
    await db
      .insertInto('members')
      .values({
        id: randomUUID(),
        organization_id: organizationId,
        user_id: userId,
        role,
        created_at: now,
      })
      .execute();
    return { userId, email };
  }
  const mailCreator = (userId: string) => mails.mailCreator({ organizationId, userId, event, url });

  it('mails an event to its creator, in plain text and with a link', async () => {
    const { userId, email } = await addPerson('member');
    expect(await mails.areWanted(userId)).to.equal(true);
    expect(await mailCreator(userId)).to.equal(true);
    const [letter] = await smtp.to(email);
    expect(letter).to.include('A task has failed').and.to.include(url);
    // a title is one line, which can't begin another header
    expect(letter).not.to.match(/^Bcc:/m);
  });

  it('mails nothing to people who do not want it, who have left, or without a server', async () => {
    const person = await addPerson('member');
    const count = smtp.letters.length;
    await mails.setWanted(person.userId, false);
    expect(await mailCreator(person.userId)).to.equal(true);
    await mails.setWanted(person.userId, true);
    await db.deleteFrom('members').where('user_id', '=', person.userId).execute();
    expect(await mailCreator(person.userId)).to.equal(true);
    const endpoint = { endpointId: 'e', organizationId, description: 'CRM', shownUrl: 'https://x' };
    expect(await mailsBy(undefined).mailOwners(endpoint)).to.equal(true);
    expect(smtp.letters).to.have.length(count);
  });

  it('tells the owners that an endpoint was disabled, and fails without a mail server', async () => {
    const { email } = await addPerson('owner');
    const endpoint = { endpointId: 'e', organizationId, description: 'CRM', shownUrl: 'https://x' };
    expect(await mails.mailOwners(endpoint)).to.equal(true);
    const [letter] = await smtp.to(email);
    expect(letter).to.include('CRM').and.to.include('https://tasks.example/settings/webhooks');
    expect(await mailsBy('smtp://127.0.0.1:9').mailOwners(endpoint)).to.equal(false);
  });
});
