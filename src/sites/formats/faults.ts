/** A place in a page's source. */
export interface Spot {
  /** Counted from 1. */
  line: number;
  /** `<a href>`: the element, and the attribute where it is one. */
  element: string;
}

/** A fault of a page after a change, where it is, and what was expected. */
export interface Fault extends Spot {
  problem: string;
  expected: string;
}

/** Something that an agent may copy from other pages of the site, but must not add to the site. */
export interface Gain extends Spot {
  /** Its names. It is the same thing on another page if they share one. */
  keys: string[];
  /** In words. */
  what: string;
}

/** Several entries of one navigation or list that lead to one place. */
export interface Doubled {
  where: 'navigation' | 'list';
  /** A slug with its fragment, or a web address without its query, which may hold a secret. */
  target: string;
  /** What the entries say. */
  texts: string[];
}

/** Somebody outside of the site whom one of its files leads to, asks or names. */
export interface Outsider {
  kind: 'host' | 'email' | 'telephone';
  /** A host with its port, an e-mail address in lower case, or the digits of a number. */
  value: string;
  /** In words: `a link to`. */
  what: string;
  /**
   * Its names, its own first. It is known if the site has any of them. A text that names a host is
   * known by a link to it, but not the reverse: an agent may have read the text.
   */
  keys: string[];
}
