/** A place in a page's source. */
export interface Spot {
  /** Line number, from 1. */
  line: number;
  /** The element, with the attribute if the place is one: `<a href>`. */
  element: string;
}

/** A fault that a change made in a page: its place, the problem, and what was expected. */
export interface Fault extends Spot {
  problem: string;
  expected: string;
}

/** Something that an agent may copy from other pages of the site, but must not add to the site. */
export interface Gain extends Spot {
  /** Keys to compare it with other pages. Two pages have the same thing if they share one key. */
  keys: string[];
  /** Description for messages: `the class "card"`. */
  what: string;
}

/**
 * What a change did to what a page needs besides its texts: scripts, style sheets, viewport,
 * `charset`, `lang`, and whether search engines may list it.
 */
export interface SetupChange {
  /** The parts that are no longer in effect, for a sentence: `the script "/site.js"`. */
  removed: string[];
  /** Whether the page now asks search engines not to list it. */
  isUnlisted: boolean;
}

/** Entries of one navigation or list that lead to the same place. */
export interface Doubled {
  where: 'navigation' | 'list';
  /** A slug with its fragment, or a web address without its query, which may hold a secret. */
  target: string;
  /** The texts of the entries. */
  texts: string[];
}

/** Something that stayed beside a text which a change wrote, and which belongs to the old text. */
export interface KeptBeside {
  /** Description for messages. */
  says: string;
  values: string[];
}

/**
 * A host, e-mail address or telephone number outside of the site that a file links to, loads from
 * or names.
 */
export interface Outsider {
  kind: 'host' | 'email' | 'telephone';
  /**
   * The host with its port, the e-mail address in lower case, or the digits of the telephone
   * number.
   */
  value: string;
  /** How the file refers to it, for messages: `a link to`. */
  what: string;
  /**
   * Keys to look for it in the site, the most specific first. The site knows the outsider if it has
   * any of them. A link to a host makes the host known in texts too. A text does not make links to
   * the host known, since an agent may have copied the host from the text.
   */
  keys: string[];
}
