import { findNameViolation } from '../contract/text/nameRule.ts';
import type { Role } from '../contract/roles.ts';
import { shortLine } from '../contract/text/summaries.ts';
import type { Letter } from './mail.ts';

/** The most characters of a name in a letter. A longer name could contain a message. */
const NAME_LENGTH = 60;

export interface InvitationLetterInput {
  organization: string;
  role: Role;
  /** The person who invites; undefined for a program whose API key no person made. */
  by: { name: string; email: string } | undefined;
  url: string;
}

/**
 * The letter of an invitation. Its reader may know neither this service nor the inviter, and
 * strangers may have chosen the names in it. Leaves out names that today's rule for names would
 * refuse.
 */
export function invitationLetter({
  organization,
  role,
  by: inviter,
  url,
}: InvitationLetterInput): Omit<Letter, 'to'> {
  const organizationName = mailableName(organization);
  const inviterText = inviter ? inviterWords(inviter) : 'A program of the organization';
  const paragraphs = [
    `${inviterText} has invited you to join ${organizationName === null ? 'an organization' : `"${organizationName}"`} with the role ${role}.`,
    `Members of the organization chose ${organizationName === null ? 'its name' : `the name "${organizationName}"`}, and this ` +
      'service has not checked it. If you do not know who invited you, ignore this e-mail.',
    'To join, open this link within seven days:',
    url,
  ];
  return {
    subject: `Invitation to ${organizationName ?? 'an organization'}`,
    text: `${paragraphs.join('\n\n')}\n`,
  };
}

/**
 * The only local parts that a letter shows. RFC 5322, section 3.2.3, allows more, such as a URL.
 */
const plainAccount = /^[\p{L}\p{M}\p{N}._+'-]+@/u;

function inviterWords({ name, email }: { name: string; email: string }): string {
  const [shownName, address] = [mailableName(name), plainAccount.test(email) ? email : null];
  if (shownName === null) return address ?? 'A member of the organization';
  return address === null ? shownName : `${shownName} (${address})`;
}

/**
 * The name as a letter shows it; null if it is not fit to be mailed. Shortening removes characters,
 * so the shortened name is checked too: it could read as an address.
 */
export function mailableName(name: string): string | null {
  const shownName = shortLine(name, NAME_LENGTH);
  const isFit = [name, shownName].every(
    (nameText) => findNameViolation(nameText, { isMailed: true }) === null,
  );
  return isFit ? shownName : null;
}
