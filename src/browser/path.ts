// The one place where the editor and the console make addresses of this host. No text that comes from outside, as an id
// in an address does, leads to another address than the one that is meant.

/** A text that no path can name, such as `..`. */
export class NoPath extends Error {
  constructor() {
    super('Not found');
    this.name = 'NoPath';
  }
}

/** Made by `path` only, so that whatever takes a `Path` gets no text that somebody put together. */
export class Path {
  /** @type {string} */
  #text;
  /** @type {boolean} */
  #isSound;

  /**
   * @private
   * @param {string} text
   * @param {boolean} isSound
   */
  constructor(text, isSound) {
    this.#text = text;
    this.#isSound = isSound;
  }

  /**
   * What `path` does.
   * @param {TemplateStringsArray} parts
   * @param {...(string | readonly string[] | Path)} values
   */
  static of(parts, ...values) {
    const texts = parts.map((part, index) => part + encoded(values[index]));
    const text = texts.join('');
    const areSound = values.flat().every((value) => (value instanceof Path ? value.#isSound : isSegment(value)));
    return new Path(text, areSound && isKept(text));
  }

  /**
   * The path as it is asked for.
   * @throws {NoPath} where a segment is empty, `.` or `..`, or no Unicode
   */
  get address() {
    if (!this.#isSound) throw new NoPath();
    return this.#text;
  }

  /** For texts that are no addresses. It never throws. */
  toString() {
    return this.#text;
  }
}

/**
 * `` path`/sites/${siteId}/pages` ``: each value is one segment, and a list of values as many segments.
 * @type {typeof Path.of}
 */
export const path = (parts, ...values) => Path.of(parts, ...values);

/** @param {string} slug of a page, which is its path on the site */
export const pathOfPage = (slug) => (slug === '/' ? path`/` : path`/${slug.slice(1).split('/')}`);

/** @param {string | readonly string[] | Path | undefined} value undefined: there is none after the last part */
function encoded(value = []) {
  if (value instanceof Path) return value.toString();
  return [value]
    .flat()
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
}

/** @param {string} text */
const isSegment = (text) => text !== '' && text.isWellFormed();

/**
 * Whether a browser asks for exactly this path: it takes dots away, and reads `//` as the start of a host.
 * @param {string} text
 */
const isKept = (text) => /^\/(?!\/)/.test(text) && !text.split('/').some((segment) => /^\.{1,2}$/.test(segment));
