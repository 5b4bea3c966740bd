import { defined } from '../../../../contract/defined.ts';
import type { Instruction } from '../instructions.ts';
import type { Found } from '../language/shapes.ts';
import type { Target } from '../language/slots.ts';
import type { Row } from './row.ts';

const looksLikeTarget = (text: string) => /^(?:[/#]\S*|[a-z][a-z0-9+.-]*:\S+)$/i.test(text);
const addressOf = (target: Target | undefined) =>
  target && (target.page ?? target.quoted ?? target.address);

const linkIn = ({ element = 'link', now, pages }: Found) => ({
  kind: 'link' as const,
  element,
  now: now!,
  slugs: pages ?? null,
});

/** Reads a new target. A text in quotes that looks like no target is the new text. */
function link(found: Found): Instruction | null {
  const { what = '', target, fromTarget, toTarget } = found;
  const to = toTarget!;
  const isText = to.quoted !== undefined && !looksLikeTarget(to.quoted);
  const isLabel = /text|label|wording|words|caption/.test(what);
  if (isLabel !== isText && what !== '') return null;
  if (target && (!isText || (target.quoted !== undefined && !looksLikeTarget(target.quoted))))
    return null;
  return {
    ...linkIn(found),
    ...defined({
      old: addressOf(fromTarget),
      target: addressOf(isText ? target : to),
      text: isText ? to.quoted : undefined,
    }),
  };
}

const AN_ELEMENT = '(THE|all|every|each)? {element} CALLED? {quote:now} @';
const THE_ELEMENT = '(THE|all|every|each)? {quote:now} {element} @';
const TO =
  '(from {target:fromTarget})? TO {target:toTarget} (and|, and? its? (link|target to)? (GOES)? {target})? @';

/** Instructions for the targets and texts of links and buttons. */
export const linkRows: Record<string, Row> = {
  link: {
    wordings: [
      [
        `SET|point|link (THE? {what} of|on|for)? ${AN_ELEMENT} ${TO}`,
        'Change the link "Pricing" on / to /plans',
      ],
      [
        `SET|point|link (THE? {what} of|on|for)? ${THE_ELEMENT} ${TO}`,
        'Change the text of the "Book now" button on /rooms to "Book a room"',
      ],
      [
        `SET|point|link? ${AN_ELEMENT} (should now?)? GOES|at {target:toTarget} (NOT {target:fromTarget})? @`,
        'Make the link "Pricing" on / lead to /plans',
      ],
      [
        `SET|point|link? ${THE_ELEMENT} (should now?)? GOES|at {target:toTarget} (NOT {target:fromTarget})? @`,
        'The "Book now" button on /rooms should go to /booking',
      ],
      ['point|link {quote:now} @ to|at {target:toTarget} @', 'Link "Pricing" on / to /plans'],
    ],
    read: link,
  },
  button: {
    wordings: [
      [`SET? ${AN_ELEMENT} TO {label:text} @`, 'Make the button "Book now" say "Book a room"'],
      [
        `SET? ${THE_ELEMENT} TO {label:text} @`,
        'The "Book now" button should say "Book a room" everywhere',
      ],
    ],
    read: (found) => ({ ...linkIn(found), text: found.text! }),
  },
};
