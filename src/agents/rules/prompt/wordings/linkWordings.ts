import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import type { PromptInstruction } from '../promptInstruction.ts';
import type { WordingValues } from './compileShape.ts';
import type { WordedTarget } from './wordingSlots.ts';
import type { InstructionKind } from './instructionKind.ts';

const looksLikeTarget = (text: string) => /^(?:[/#]\S*|[a-z][a-z0-9+.-]*:\S+)$/i.test(text);
const readTargetAddress = (target: WordedTarget | undefined) =>
  target && (target.page ?? target.quoted ?? target.address);

const createLinkInstruction = ({ element = 'link', now, pages }: WordingValues) => ({
  kind: 'link' as const,
  element,
  now: now!,
  slugs: pages ?? null,
});

/** Reads a link's new target, text or both. What does not look like a target is the new text. */
function readLinkInstruction(values: WordingValues): PromptInstruction | null {
  const { what = '', target, fromTarget, toTarget } = values;
  const newTarget = toTarget!;
  const isText = newTarget.quoted !== undefined && !looksLikeTarget(newTarget.quoted);
  const isLabel = /text|label|wording|words|caption/.test(what);
  if (isLabel !== isText && what !== '') return null;
  if (target && (!isText || (target.quoted !== undefined && !looksLikeTarget(target.quoted))))
    return null;
  return {
    ...createLinkInstruction(values),
    ...withoutUndefined({
      old: readTargetAddress(fromTarget),
      target: readTargetAddress(isText ? target : newTarget),
      text: isText ? newTarget.quoted : undefined,
    }),
  };
}

const AN_ELEMENT = '(THE|all|every|each)? {element} CALLED? {quote:now} @';
const THE_ELEMENT = '(THE|all|every|each)? {quote:now} {element} @';
const TO =
  '(from {target:fromTarget})? TO {target:toTarget} (and|, and? its? (link|target to)? (GOES)? {target})? @';

/** Instructions for the targets and texts of links and buttons. */
export const linkWordings: Record<string, InstructionKind> = {
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
    read: readLinkInstruction,
  },
  button: {
    wordings: [
      [`SET? ${AN_ELEMENT} TO {label:text} @`, 'Make the button "Book now" say "Book a room"'],
      [
        `SET? ${THE_ELEMENT} TO {label:text} @`,
        'The "Book now" button should say "Book a room" everywhere',
      ],
    ],
    read: (values) => ({ ...createLinkInstruction(values), text: values.text! }),
  },
};
