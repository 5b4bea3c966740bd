import { defined } from '../../../../contract/defined.ts';
import type { Instruction, PageName } from '../instructions.ts';
import { shapeOf } from '../language/shapes.ts';
import type { Token } from '../language/tokens.ts';
import { readingsBy, type Wording } from './row.ts';

/**
 * A sentence that requests nothing itself, but gives the reason for other instructions, or their
 * subject.
 */
export interface Remark {
  /** Kinds of instructions to which the remark may belong. Absent: any kind. */
  of?: Instruction['kind'][];
  /** The remark's subject. The instruction must name it too, or say `it`. */
  thing?: Token[];
  /** The pages of the instructions below the remark. */
  pages?: PageName[];
}

interface RemarkRow extends Pick<Remark, 'of'> {
  wordings: Wording[];
}

const REMOVALS: Instruction['kind'][] = ['remove', 'remove-section', 'delete', 'menu'];
const GONE =
  'gone|discontinued|obsolete|history|closed|cancelled|canceled|ended|retired|removed|dropped';
const WRONG = 'wrong|old|outdated|incorrect|misspelled|misleading';
const MORE = '(any more|longer)? anymore?';

/** Remarks by what they announce. A remark with further words is not understood. */
export const remarks: Record<string, RemarkRow> = {
  name: {
    of: ['company', 'replace'],
    wordings: [
      ['we have|got (a|our)? new (company|brand|business)? name (now)?', 'We have a new name'],
      ['our COMPANY has (a)? new name (now)?', 'Our company has a new name'],
      ['we are|have|were? (rebranding|rebranded|renamed)', 'We are rebranding'],
      ['we have? changed our (company|brand|business)? name', 'We changed our name'],
      ['our (company|brand|business)? name HAS_CHANGED', 'Our company name has changed'],
    ],
  },
  contact: {
    of: ['contact', 'replace'],
    wordings: [
      ['we have|got (a|our)? new PHONE|EMAIL (now)?', 'We have a new phone number'],
      ['we have? changed|moved our PHONE|EMAIL', 'We changed our e-mail address'],
    ],
  },
  prices: {
    of: ['price', 'raise'],
    wordings: [
      ['we have|got new prices (now)? @', 'We have new prices'],
      ['(here are)? THE? new? PRICE @', 'New prices on /pricing'],
      ['SET THE? PRICE @', 'Update the prices on /pricing'],
      ['our prices (have)? HAS_CHANGED|change|changed', 'Our prices have changed'],
      [
        'we are|have raising|changing|raised|changed|updated|increased|lowered|adjusted THE? PRICE',
        'We are raising our prices',
      ],
      ['everything gets|got|has|becomes become? dearer|pricier', 'Everything gets dearer'],
    ],
  },
  hours: {
    of: ['hours'],
    wordings: [
      ['we have|got new HOURS (now)? @', 'We have new opening hours'],
      ['(here are)? THE? new? HOURS @', 'New opening hours in Austin'],
      ['SET THE? HOURS @', 'Update the opening hours on /rooms'],
      ["SET THE? {page} 's? HOURS", 'Update our Austin hours'],
      ['our HOURS (have)? HAS_CHANGED|change|changed', 'Our opening hours have changed'],
    ],
  },
  year: {
    of: ['year'],
    wordings: [
      ['happy new year', 'Happy new year'],
      ['it is (a)? new year', "It's a new year"],
    ],
  },
  typo: {
    of: ['replace'],
    wordings: [
      ['there is|are MISTAKE @', 'There is a small typo'],
      ['I|i|we (have)? found|spotted|noticed|saw MISTAKE @', 'I found a typo'],
      ['MISTAKE @', 'Typos on /about'],
      ['FIX THE? MISTAKE @', 'Fix these typos on /about'],
    ],
  },
  people: {
    of: ['add'],
    wordings: [
      ['we have|got a new colleague|employee|member (now)?', 'We have a new colleague'],
      ['we have|got a new team member (now)?', 'We have a new team member'],
      ['(somebody|someone) new (has)? joined (us)?', 'Somebody new joined us'],
      ['we (have)? hired|welcomed somebody|someone new?', 'We hired someone new'],
      ['we (have)? hired|welcomed a new colleague|employee|member', 'We hired a new colleague'],
    ],
  },
  kind: {
    wordings: [
      [
        'i have a (small|quick|little|short)? request|question|favour|favor|change (for you)?',
        'I have a small request',
      ],
      ['(a)? (small|quick|little) request|one|change|thing', 'A quick request'],
      ['i have a few requests|changes', 'I have a few changes'],
      ['here is|are what i need', 'Here is what I need'],
      ['CHANGES @', 'A few changes for the pricing page'],
      ['here is|are THE? CHANGES @', 'Here are the changes for /pricing'],
      ['(i|we)? have|need THE? CHANGES @', 'I have some updates for /pricing'],
      ['FIX|SET|make THESE @', 'Fix these on /about'],
      ['make THE? CHANGES @', 'Make the following changes on /pricing'],
      ['there is|are THE? CHANGES @', 'There are some changes on /pricing'],
      ['SIGNED', 'Best regards'],
      ['SIGNED ,? {value:name}', 'Thanks, Anna'],
      ['i? hope you are (doing)? well', 'I hope you are well'],
      ['good morning|afternoon|evening|day', 'Good morning'],
      ['(hi|hello|hey)? there|all|team|everyone', 'Hi there'],
    ],
  },
  gone: {
    of: REMOVALS,
    wordings: [
      [
        `we no longer have|offer|sell|do|make|run|need (a|an|any)? THE? {thing}`,
        'We no longer have a free plan',
      ],
      [
        `we don't|won't have|offer|sell|do|make|run|need (a|an|any)? THE? {thing} ${MORE}`,
        "We don't offer the free plan anymore",
      ],
      [
        `we do|will not have|offer|sell|make|run|need (a|an|any)? THE? {thing} ${MORE}`,
        'We do not sell the free plan any more',
      ],
      [
        'we have? stopped offering|selling|doing|making THE? {thing}',
        'We stopped selling the free plan',
      ],
      [
        'we have? discontinued|dropped|cancelled|canceled|ended THE? {thing}',
        'We have discontinued the free plan',
      ],
      ['there is|are no {thing} any|anymore more?', 'There is no free plan any more'],
      [`THE? {thing} is|are|was (now|being)? ${GONE} (now)?`, 'The free plan is gone'],
      [
        `THE? {thing} (has|have|will)? (been|be)? ${GONE} (now)?`,
        'The free plan has been discontinued',
      ],
      [
        'THE? {thing} is|are (now)? no longer available|needed|offered',
        'The free plan is no longer available',
      ],
      ['{thing} has? LEFT', 'Ann Lee has left us'],
      ['{thing} no longer works here|with|for us?', 'Ann Lee no longer works with us'],
    ],
  },
  unfit: {
    of: ['set', 'text', 'link', 'alt', 'price', 'menu', 'replace'],
    wordings: [
      [
        'THE? {thing} is|are (much)? too long|short|big|small|high|low|old|formal|vague',
        'The headline of the about page is too long',
      ],
    ],
  },
  wrong: {
    wordings: [
      [`THE? {thing} is|are (now)? ${WRONG}`, 'The headline of the about page is wrong'],
      ['THE? {thing} is|are out of date', 'The phone number is out of date'],
      ['THE? {thing} HAS_CHANGED', 'Our phone number has changed'],
      ['THE? {thing} (have)? HAS_CHANGED', 'Our prices have changed'],
    ],
  },
};

const readings = readingsBy(remarks);

/** Reads a sentence as a remark. null if it may request something. */
export function readRemark(piece: Token[]): Remark | null {
  const [reading] = readings(withoutColon(piece));
  if (!reading) return null;
  const { page, pages, thing } = reading.found;
  const named = page ? [page] : pages === 'everywhere' ? undefined : pages;
  return defined({ of: reading.row.of, thing, pages: named });
}

const place = shapeOf('{place:pages}');
/** Reads a line that names the pages of all instructions below it: `On the pricing page:`. */
export function readPlace(piece: Token[]): Remark | null {
  const [{ pages } = {}] = place(withoutColon(piece));
  return Array.isArray(pages) ? { pages } : null;
}

const withoutColon = (tokens: Token[]) =>
  tokens.at(-1)?.word === ':' ? tokens.slice(0, -1) : tokens;
