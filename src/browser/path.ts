// The only place where the editor and the console build addresses of this host. No text from
// outside, such as an id in an address, can change which address is requested.

/** Thrown for a path that no request can have, such as one with `..`. */
export class NoPath extends Error {
  constructor() {
    super('Not found');
    this.name = 'NoPath';
  }
}

type Value = string | readonly string[] | Path;

/**
 * A path of this host. Only `path` makes one, so code that takes a `Path` never gets a text that
 * somebody concatenated.
 */
export class Path {
  readonly #text: string;
  readonly #isSound: boolean;

  private constructor(text: string, isSound: boolean) {
    this.#text = text;
    this.#isSound = isSound;
  }

  /** Implements `path`. */
  static of(parts: TemplateStringsArray, ...values: Value[]): Path {
    const texts = parts.map((part, index) => part + encoded(values[index]));
    const text = texts.join('');
    const areSound = values
      .flat()
      .every((value) => (value instanceof Path ? value.#isSound : isSegment(value)));
    return new Path(text, areSound && isKept(text));
  }

  /**
   * The path as it is requested.
   * @throws {NoPath} if a segment is empty, `.` or `..`, or is not well-formed Unicode
   */
  get address(): string {
    if (!this.#isSound) throw new NoPath();
    return this.#text;
  }

  /** The path's text, for uses other than requests. Never throws. */
  toString(): string {
    return this.#text;
  }
}

/**
 * Builds a path: `` path`/sites/${siteId}/pages` ``. Each value becomes one segment, a list of
 * values becomes as many segments, and a `Path` stays as it is.
 */
export const path = (parts: TemplateStringsArray, ...values: Value[]) => Path.of(parts, ...values);

/** @param slug the page's path on the site, such as `/about` */
export const pathOfPage = (slug: string) =>
  slug === '/' ? path`/` : path`/${slug.slice(1).split('/')}`;

/** @param value undefined after the template's last part, which no value follows */
function encoded(value: Value = []): string {
  if (value instanceof Path) return value.toString();
  return [value]
    .flat()
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
}

const isSegment = (text: string) => text !== '' && text.isWellFormed();

/**
 * Whether a browser requests exactly this path. Browsers resolve `.` and `..`, and take a leading
 * `//` for the start of a host.
 */
const isKept = (text: string) =>
  /^\/(?!\/)/.test(text) && !text.split('/').some((segment) => /^\.{1,2}$/.test(segment));

/** A part of an address, decoded for people. Returned unchanged if it can't be decoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
