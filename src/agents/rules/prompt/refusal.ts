import { DomainError } from '../../../errors.ts';
import { quoted } from '../../../text/text.ts';
import { upperFirst } from '../../text/letterCase.ts';
import { verbs } from './language/synonyms.ts';
import { unreadPart } from './unreadPart.ts';

const LONGEST = 120;
const FIXED = 'This assistant follows fixed wordings.';

/** A part of a prompt that is not understood, and the problem with it. */
export interface Refused {
  refused: string;
  which: string;
  /** The part exactly as the prompt has it. */
  part?: string;
  /** How to correct the part. Absent if its wording is the problem. */
  mend?: string;
}

/** Words for requests that only a language model can carry out. */
export const NEEDS_MODEL =
  /\b(?:translat\w*|rewrit\w*|rephras\w*|reword\w*|summari[sz]\w*|improv\w*|shorten|lengthen|polish|proofread\w*|write|writing|compose|invent|suggest|brainstorm|redesign|restyle|optimi[sz]e|friendl\w+|catchier|punchier|clearer|nicer|better|funn\w+|professional|blog post|poem|article|slogan|colou?rs?|fonts?|joke)\b/i;

/** An instruction without its quoted texts, which do not tell what is wanted. */
const unquoted = (text: string) => text.replace(/"[^"]*"/g, ' ');

/** Whether the site's names may help to understand the refused part. */
export const mayNeedNames = ({ refused }: Refused): boolean =>
  !NEEDS_MODEL.test(unquoted(refused)) &&
  refused
    .toLowerCase()
    .split(/\s+/)
    .some((word) => verbs.has(word));

/** The error for a prompt that is not understood. */
export const notUnderstood = (part: Refused): DomainError =>
  new DomainError('NOT_UNDERSTOOD', `Nothing was changed: ${saidOf(part)}. ${helpFor(part)}`);

/** The same message for a check before the task is created. */
export const refusalOf = (part: Refused): string => `${upperFirst(saidOf(part))}. ${helpFor(part)}`;

const helpFor = ({ mend = FIXED }: Refused) => `${mend.replace(/\.$/, '')}.`;

function saidOf({ refused, which, mend }: Refused): string {
  if (refused === '') return which;
  const unread = mend === undefined ? unreadPart(refused) : undefined;
  const end =
    unread === undefined ? '' : ` (no wording has a place for ${quoted(unread, LONGEST)})`;
  return `${which}: ${quoted(refused, LONGEST)}${end}`;
}
