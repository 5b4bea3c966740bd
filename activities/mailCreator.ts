import type { NewEvent } from '../src/contract/events.ts';
import { DomainError } from '../src/errors.ts';
import type { ActivityDependencies } from './deps.ts';
import { eventUrl } from './recordEvent.ts';

interface MailCreatorInput {
  /** Never present: a workflow of its own delivers events. */
  task?: never;
  organizationId: string;
  userId: string;
  event: NewEvent;
}

/**
 * Mails an event to the person who created the task or batch, if that person wants it. Repeatable:
 * at worst, the person gets the letter twice. Throws UNAVAILABLE if the mail server does not accept
 * it.
 */
export const createMailCreator =
  ({ eventMails, consoleAddress }: Pick<ActivityDependencies, 'eventMails' | 'consoleAddress'>) =>
  async ({ organizationId, userId, event }: MailCreatorInput): Promise<void> => {
    const url = eventUrl(event.data, consoleAddress);
    if (await eventMails.mailCreator({ organizationId, userId, event, url })) return;
    throw new DomainError('UNAVAILABLE', 'The mail server did not accept the letter', {
      retryable: true,
    });
  };
