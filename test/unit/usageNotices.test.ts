import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { createMail, type Mail } from '../../src/accounts/mail.ts';
import { createUsageNotices } from '../../src/accounts/usageNotices.ts';
import { createModelUsage } from '../../src/organizations/modelUsage.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { createTokenLimits } from '../../src/organizations/tokenLimits.ts';
import { atTime } from '../helpers/atTime.ts';
import { testDatabase } from '../helpers/database.ts';
import { anAddress } from '../helpers/people.ts';
import { startSmtp } from '../helpers/smtpReceiver.ts';

const publicUrl = () => new URL('https://console.example');

describe('createUsageNotices({ db, mail, limits, publicUrl })', () => {
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  let mail: Mail;
  let at = '2030-01-15T12:00:00Z';
  before(async () => {
    smtp = await startSmtp();
    mail = mailAt(smtp.url);
  });
  beforeEach(() => void (at = '2030-01-15T12:00:00Z'));
  after(async () => {
    await mail.close();
    await smtp.close();
  });

  const mailAt = (smtpUrl: string | undefined) =>
    createMail({ smtpUrl, from: 'service@example.com', log: { warn: () => undefined } });

  /** An organization that may use 1,000 tokens a month, with two owners and an admin. */
  async function organization(name = 'Acme') {
    const db = await testDatabase();
    const usage = atTime(() => new Date(at), createModelUsage(db));
    const { organizationId } = await createOrganizations(db).create({ name });
    const people = {
      owner: anAddress('owner'),
      other: anAddress('other'),
      admin: anAddress('admin'),
    };
    for (const [who, email] of Object.entries(people)) {
      const [userId, created_at] = [randomUUID(), new Date()];
      await db
        .insertInto('users')
        .values({
          id: userId,
          name: who,
          email,
          email_verified: true,
          created_at,
          updated_at: created_at,
        })
        .execute();
      const role = who === 'admin' ? 'admin' : 'owner';
      await db
        .insertInto('members')
        .values({
          id: randomUUID(),
          organization_id: organizationId,
          user_id: userId,
          role,
          created_at,
        })
        .execute();
    }
    const limits = createTokenLimits(db, { usage, tokensPerMonth: 1_000 });
    /** The notices of a process of its own. */
    const noticesBy = (own: Mail) => createUsageNotices({ db, mail: own, limits, publicUrl });
    return {
      people,
      /** Tells as several processes at once do, and waits for the letters. */
      tell: async (smtpUrl: string | null = smtp.url) => {
        const mails = Array.from({ length: 3 }, () => mailAt(smtpUrl ?? undefined));
        for (const own of mails) noticesBy(own).tell(organizationId);
        await Promise.all(mails.map((own) => own.close()));
      },
      spend: async (inputTokens: number) => {
        const callId = randomUUID();
        const call = { callId, organizationId, taskId: 'bg-1', model: 'a/b', estimatedTokens: 1 };
        await usage.begin(call);
        await usage.answer(callId, { inputTokens, cachedInputTokens: 0, outputTokens: 0 });
      },
      letters: () =>
        Object.entries(people).map(
          ([, email]) => smtp.letters.filter((letter) => letter.includes(`To: ${email}`)).length,
        ),
    };
  }

  it('mails each owner once a month, however many processes report it', async () => {
    const { people, tell, spend, letters } = await organization();
    await spend(799);
    await tell();
    expect(letters()).to.deep.equal([0, 0, 0]);
    await spend(1);
    await tell();
    await spend(500);
    await tell();
    expect(letters()).to.deep.equal([1, 1, 0]);
    const letter = smtp.letters.find((text) => text.includes(`To: ${people.owner}`))!;
    expect(letter).to.match(/^Subject: Acme\b.* 80 %.*\bmonth\b/m);
    expect(letter).to.match(/^Acme\b.*\b800\b.*\b1,000\b.*\b2030-01\b/m);
    expect(letter).to.contain('https://console.example/settings/usage');
    at = '2030-02-01T00:00:00Z';
    await tell();
    expect(letters()).to.deep.equal([1, 1, 0]);
    await spend(900);
    await tell();
    expect(letters()).to.deep.equal([2, 2, 0]);
  });

  it('tries again if the mail server accepted no letter', async () => {
    const { tell, spend, letters } = await organization();
    await spend(900);
    const gone = await startSmtp();
    await gone.close();
    await tell(gone.url);
    expect(letters()).to.deep.equal([0, 0, 0]);
    await tell();
    expect(letters()).to.deep.equal([1, 1, 0]);
  });

  it('mails nothing without a mail server, and uses no name that reads as a URL', async () => {
    const { people, tell, spend, letters } = await organization('evil.test');
    await spend(900);
    await tell(null);
    expect(letters()).to.deep.equal([0, 0, 0]);
    await tell();
    const letter = smtp.letters.find((text) => text.includes(`To: ${people.owner}`))!;
    expect(letter).to.contain('\nYour organization ').and.not.contain('evil.test');
  });
});
