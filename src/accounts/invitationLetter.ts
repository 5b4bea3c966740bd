import { nameFault } from '../contract/name.ts';
import type { Role } from '../contract/roles.ts';
import { shortLine } from '../contract/text.ts';
import type { Letter } from './mail.ts';

/** Characters of a name in a letter: a longer one could be a message of its own. */
const NAME_LENGTH = 60;

export interface Invitation {
  organization: string;
  role: Role;
  /** Who invites; undefined for a program whose key no person made. */
  by: { name: string; email: string } | undefined;
  url: string;
}

/**
 * The letter to somebody who may know neither this service nor who invites: names in it are others'
 * texts. What the rule of names would refuse now is left out.
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

/** RFC 5322, section 3.2.3, allows more before the @, such as the address of a page. */
const plainAccount = /^[\p{L}\p{M}\p{N}._+'-]+@/u;

function personOf({ name, email }: { name: string; email: string }): string {
  const [shown, address] = [nameIn(name), plainAccount.test(email) ? email : null];
  if (shown === null) return address ?? 'Somebody of the organization';
  return address === null ? shown : `${shown} (${address})`;
}

/** A line without some characters is another name: what is left must not be an address either. */
function nameIn(name: string): string | null {
  const shown = shortLine(name, NAME_LENGTH);
  const isFit = [name, shown].every((text) => nameFault(text, { isMailed: true }) === null);
  return isFit ? shown : null;
}
