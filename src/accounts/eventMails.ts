import type { Kysely } from 'kysely';
import type { DisabledEndpoint, EventBody, NewEvent } from '../contract/events.ts';
import { wordEvent } from '../contract/text/eventWords.ts';
import type { Schema } from '../storage/schema.ts';
import type { Mail } from './mail.ts';
import { organizationOwners } from './usageNotices.ts';

/** An event of a task or batch, for its creator. */
export interface CreatorMail {
  organizationId: string;
  userId: string;
  event: NewEvent;
  /** The task or batch in the console. */
  url: string;
}

/** E-mails about events. */
export interface EventMails {
  /** Whether the person wants e-mails about own tasks and batches. By default, people do. */
  areWanted(userId: string): Promise<boolean>;
  setWanted(userId: string, areWanted: boolean): Promise<void>;
  /**
   * Mails an event to the creator, unless that person does not want such e-mails or has left the
   * organization.
   * @returns false if the mail server did not accept the letter
   */
  mailCreator(creatorMail: CreatorMail): Promise<boolean>;
  /**
   * Tells the owners that the service has disabled an endpoint.
   * @returns false if there is a mail server, and it accepted no letter
   */
  mailOwners(endpoint: DisabledEndpoint): Promise<boolean>;
}

interface EventMailOptions {
  db: Kysely<Schema>;
  mail: Mail;
  publicUrl: () => URL;
}

export function createEventMails({ db, mail, publicUrl }: EventMailOptions): EventMails {
  const consoleUrl = (path: string) => new URL(path, publicUrl()).href;
  return {
    async areWanted(userId) {
      const user = db.selectFrom('users').select('event_mails').where('id', '=', userId);
      return (await user.executeTakeFirstOrThrow()).event_mails;
    },

    async setWanted(userId, areWanted) {
      const user = db.updateTable('users').set({ event_mails: areWanted });
      await user.where('id', '=', userId).execute();
    },

    async mailCreator({ organizationId, userId, event, url }) {
      if (!mail.isOn) return true;
      const creator = await db
        .selectFrom('members')
        .innerJoin('users', 'users.id', 'members.user_id')
        .select('users.email')
        .where('members.organization_id', '=', organizationId)
        .where('users.id', '=', userId)
        .where('users.event_mails', '=', true)
        .executeTakeFirst();
      if (!creator) return true;
      const body = { ...event, data: { ...event.data, url } } as EventBody;
      const { headline, details } = wordEvent(body);
      const paragraphs = [
        headline,
        ...details,
        url,
        `To get no more e-mails like this, open ${consoleUrl('/settings/you')}`,
      ];
      return mail.send({ to: creator.email, subject: headline, text: letterText(paragraphs) });
    },

    async mailOwners({ organizationId, description, shownUrl }) {
      if (!mail.isOn) return true;
      const owners = await organizationOwners(db, organizationId);
      const subject = 'A webhook endpoint was disabled';
      const text = letterText([
        `The service has disabled the webhook endpoint "${description}" at ${shownUrl}, because every delivery has failed for five days.`,
        'Events that it missed are in its log for 30 days. Enable it again, and redeliver them:',
        consoleUrl('/settings/webhooks'),
      ]);
      const sentResults = await Promise.all(
        owners.map(({ email }) => mail.send({ to: email, subject, text })),
      );
      return sentResults.length === 0 || sentResults.includes(true);
    },
  };
}

const letterText = (paragraphs: string[]) => `${paragraphs.join('\n\n')}\n`;
