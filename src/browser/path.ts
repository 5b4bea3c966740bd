// The one place where the editor and the console make addresses of this host. No text that comes
// from outside, as an id in an address does, leads to another address than the one that is meant.

/** A text that no path can name, such as `..`. */
export class NoPath extends Error {
  constructor() {
    super('Not found');
    this.name = 'NoPath';
  }
}

type Value = string | readonly string[] | Path;

/** Made by `path` only, so that whatever takes a `Path` gets no text that somebody put together. */
export class Path {
  readonly #text: string;
  readonly #isSound: boolean;

  private constructor(text: string, isSound: boolean) {
    this.#text = text;
    this.#isSound = isSound;
  }

  /** What `path` does. */
  static of(parts: TemplateStringsArray, ...values: Value[]): Path {
    const texts = parts.map((part, index) => part + encoded(values[index]));
    const text = texts.join('');
    const areSound = values
      .flat()
      .every((value) => (value instanceof Path ? value.#isSound : isSegment(value)));
    return new Path(text, areSound && isKept(text));
  }

  /**
   * The path as it is asked for.
   * @throws {NoPath} where a segment is empty, `.` or `..`, or no Unicode
   */
  get address(): string {
    if (!this.#isSound) throw new NoPath();
    return this.#text;
  }

  /** For texts that are no addresses. It never throws. */
  toString(): string {
    return this.#text;
  }
}

/**
 * `` path`/sites/${siteId}/pages` ``: each value is one segment, and a list of values as many
 * segments.
 */
export const path = (parts: TemplateStringsArray, ...values: Value[]) => Path.of(parts, ...values);

/** @param slug of a page, which is its path on the site */
export const pathOfPage = (slug: string) =>
  slug === '/' ? path`/` : path`/${slug.slice(1).split('/')}`;

/** @param value undefined: there is none after the last part */
function encoded(value: Value = []): string {
  if (value instanceof Path) return value.toString();
  return [value]
    .flat()
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
}

const isSegment = (text: string) => text !== '' && text.isWellFormed();

/**
 * Whether a browser asks for exactly this path: it takes dots away, and reads `//` as the start of
 * a host.
 */
const isKept = (text: string) =>
  /^\/(?!\/)/.test(text) && !text.split('/').some((segment) => /^\.{1,2}$/.test(segment));

/** A part of an address as people write it; the text as it is where it can't be decoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
