/** A place in a page's source. */
export interface SourcePosition {
  /** Line number, from 1. */
  line: number;
  /** The element, with the attribute if the place is one: `<a href>`. */
  element: string;
}

/** What misleads the readers of a page. */
export type MisleadingCode =
  | 'hidden-recipients'
  | 'user-name-in-link'
  | 'script-data-link'
  | 'controlling-link'
  | 'deceptive-characters';

/** The kinds of violations. `checks/violationMessage.ts` words them. */
export type ViolationCode =
  | MisleadingCode
  | 'parse-error'
  | 'duplicate-id'
  | 'broken-link'
  | 'deleted-target'
  | 'broken-fragment'
  | 'lost-text'
  | 'lost-name'
  | 'new-placeholder'
  | 'invalid-data'
  | 'new-script'
  | 'new-code'
  | 'new-attribute'
  | 'new-request-host'
  | 'new-link-host'
  | 'new-link-scheme'
  | 'foreign-feature';

/**
 * A violation: what a check finds wrong with a changed page. It fails the task, which commits
 * nothing.
 */
export interface PageViolation extends SourcePosition {
  code: ViolationCode;
  /** What the violation is about, such as an id or a URL without its query, in the page's text. */
  values: string[];
}

/**
 * A class, inline style, form or frame. An agent may copy one from other pages of the site, but
 * must not add a new one to the site.
 */
export interface PageFeature extends SourcePosition {
  /** Keys to compare it with other pages. Two pages have the same thing if they share one key. */
  keys: string[];
  /** Description for messages: `the class "card"`. */
  what: string;
}

/**
 * What a change did to what a page needs besides its texts: scripts, style sheets, viewport,
 * `charset`, `lang`, form fields, and whether readers see it and search engines may list it.
 */
export interface SetupChange {
  /** The parts that are no longer in effect, for a sentence: `the script "/site.js"`. */
  removed: string[];
  /** Whether the page now asks search engines not to list it. */
  isUnlisted: boolean;
}

/** Entries of one navigation or list that lead to the same place. */
export interface DuplicateLink {
  where: 'navigation' | 'list';
  /** A slug with its fragment, or a URL without its query, which may hold a secret. */
  target: string;
  /** The texts of the entries. */
  texts: string[];
}

/**
 * Something that stayed beside a text which a change wrote, and which belongs to the old text, such
 * as the picture of another person.
 */
export interface StaleDetail {
  /** Description for messages. */
  noteText: string;
  /** What the description is about: a number, the name of a file or person, a slug. */
  values: string[];
}

/**
 * A host, e-mail address or telephone number outside of the site that a file links to, loads from
 * or names.
 */
export interface ExternalReference {
  kind: 'host' | 'email' | 'telephone';
  /** The host with its port, the e-mail address in lower case, or the digits of the number. */
  value: string;
  /** How the file refers to it, for messages: `a link to`. */
  what: string;
  /**
   * Keys to look for it in the site, the most specific first. The site knows the external reference
   * if it has any of them. A link to a host makes the host known in texts too. A text does not make
   * links to the host known, since an agent may have copied the host from the text.
   */
  keys: string[];
}
