import { nameFault } from '../contract/name.ts';
import type { Role } from '../contract/roles.ts';
import { shortLine } from '../contract/text.ts';
import type { Letter } from './mail.ts';

/** The most characters of a name in a letter. A longer name could contain a message. */
const NAME_LENGTH = 60;

export interface Invitation {
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
export function invitationLetter({ organization, role, by, url }: Invitation): Omit<Letter, 'to'> {
  const name = nameIn(organization);
  const who = by ? personOf(by) : 'A program of the organization';
  const paragraphs = [
    `${who} invites you to join ${name === null ? 'an organization' : `"${name}"`} as ${role}.`,
    `People of the organization chose ${name === null ? 'its name' : `the name "${name}"`}, and this ` +
      'service has not checked it. If you do not know who invites you, ignore this mail.',
    'Open this link within seven days:',
    url,
  ];
  return {
    subject: `Invitation to ${name ?? 'an organization'}`,
    text: `${paragraphs.join('\n\n')}\n`,
  };
}

/**
 * The only local parts that a letter shows. RFC 5322, section 3.2.3, allows more, such as a URL.
 */
const plainAccount = /^[\p{L}\p{M}\p{N}._+'-]+@/u;

function personOf({ name, email }: { name: string; email: string }): string {
  const [shown, address] = [nameIn(name), plainAccount.test(email) ? email : null];
  if (shown === null) return address ?? 'Somebody of the organization';
  return address === null ? shown : `${shown} (${address})`;
}

/**
 * The name as a letter shows it; null if it is not fit to be mailed. Shortening removes characters,
 * so the shortened name is checked too: it could read as an address.
 */
export function nameIn(name: string): string | null {
  const shown = shortLine(name, NAME_LENGTH);
  const isFit = [name, shown].every((text) => nameFault(text, { isMailed: true }) === null);
  return isFit ? shown : null;
}
