import type { Kysely } from 'kysely';
import type { TokenLimits, TokenUse } from '../organizations/tokenLimits.ts';
import type { Schema } from '../storage/schema.ts';
import { mailableName } from './invitationLetter.ts';
import type { Letter, Mail } from './mail.ts';

export interface UsageNotices {
  /**
   * Mails the owners of an organization if 80 % of the month's tokens are used. They get one mail a
   * month, however often this is called and in how many processes. Works in the background.
   */
  tell(organizationId: string): void;
}

interface UsageNoticeOptions {
  db: Kysely<Schema>;
  mail: Mail;
  limits: Pick<TokenLimits, 'use'>;
  /** The base URL that people use. */
  publicUrl: () => URL;
}

/** Warns owners by mail before their organization has used all its language model tokens. */
export function createUsageNotices({
  db,
  mail,
  limits,
  publicUrl,
}: UsageNoticeOptions): UsageNotices {
  /** Whether this process is the one that sends the month's mails: it inserts the month's row. */
  async function claim(organizationId: string, month: string): Promise<boolean> {
    const { numInsertedOrUpdatedRows: inserted } = await db
      .insertInto('usage_notices')
      .values({ organization_id: organizationId, month })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return inserted === 1n;
  }

  async function tellOwners(organizationId: string): Promise<void> {
    const tokenUse = await limits.use(organizationId);
    if (!tokenUse?.isNear) return;
    const owners = await organizationOwners(db, organizationId);
    if (owners.length === 0 || !(await claim(organizationId, tokenUse.month))) return;
    const usageMail = usageLetter(
      owners[0]!.name,
      tokenUse,
      new URL('/settings/usage', publicUrl()).href,
    );
    const sentResults = await Promise.all(
      owners.map(({ email }) => mail.send({ ...usageMail, to: email })),
    );
    if (sentResults.includes(true)) return;
    // the mail server accepted no mail, so a later call tries again
    await db
      .deleteFrom('usage_notices')
      .where('organization_id', '=', organizationId)
      .where('month', '=', tokenUse.month)
      .execute();
  }

  return {
    tell(organizationId) {
      if (!mail.isOn) return;
      mail.sendLater(async () => {
        await tellOwners(organizationId);
        return null;
      });
    },
  };
}

/** The owners' e-mail addresses, and the organization's name. */
export const organizationOwners = (db: Kysely<Schema>, organizationId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['users.email', 'organizations.name'])
    .where('members.organization_id', '=', organizationId)
    .where('members.role', '=', 'owner')
    .execute();

const noticeNumberFormat = new Intl.NumberFormat('en');

function usageLetter(
  organization: string,
  { month, usedTokens, tokensPerMonth, setBy }: TokenUse,
  url: string,
): Omit<Letter, 'to'> {
  const organizationName = mailableName(organization) ?? 'Your organization';
  const [usedText, limitText] = [usedTokens, tokensPerMonth].map((tokens) =>
    noticeNumberFormat.format(tokens),
  );
  const paragraphs = [
    `${organizationName} has used ${usedText} of the ${limitText} language model tokens that it may use in ${month} (UTC).`,
    'When all tokens are used, the service rejects new tasks that need a language model until the month ends. ' +
      `The limit was set by ${setBy === 'operator' ? 'the operator of this service' : 'an owner of the organization'}.`,
    'See what the tokens were used for:',
    url,
  ];
  return {
    subject: `${organizationName} has used 80 % of this month's language model tokens`,
    text: `${paragraphs.join('\n\n')}\n`,
  };
}
