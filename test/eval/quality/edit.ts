import type { SiteName } from '../sites.ts';
import type { Outcome, Wish } from './carryOut.ts';
import type { GoodModel } from './goodModel.ts';
import type { Files, VisitedSite } from './site.ts';

/** What came of a prompt, and the site before it. */
export interface EditOutcome extends Outcome {
  before: VisitedSite;
}

/** A prompt that a customer could write, with what must be true then. Code decides each of them. */
export interface Edit extends Wish {
  name: string;
  site: SiteName;
  /** Changes files of the site before the task. */
  change?: (files: Files) => Files;
  /** Files that may differ afterwards. */
  touches: RegExp;
  /** Whether elements may come or go, or only texts and addresses change. */
  layout: 'same' | 'free';
  /** Whether the task must fail, or may. Without: it must not. */
  fails?: 'must' | 'may';
  /** Sentences that must be true of the site then, and of what the customer is told. */
  done: Record<string, (site: VisitedSite, told: EditOutcome) => boolean>;
  /** What a good model does. */
  good?: GoodModel;
}
