// The only place where the editor and the console build URLs of this service. No text from outside,
// such as an id in a URL, can change which path is requested.

/** Thrown for a path that a browser would not request as it is, such as one with `..`. */
export class InvalidPathError extends Error {
  constructor() {
    super('Not found');
    this.name = 'NoPath';
  }
}

type PathValue = string | readonly string[] | HostPath;

/**
 * A path of this host. Only `hostPath` makes one, so code that takes a `HostPath` never gets a text
 * that somebody concatenated.
 */
export class HostPath {
  readonly #text: string;
  readonly #isSound: boolean;

  private constructor(text: string, isSound: boolean) {
    this.#text = text;
    this.#isSound = isSound;
  }

  /** Implements `hostPath`. */
  static of(parts: TemplateStringsArray, ...values: PathValue[]): HostPath {
    const texts = parts.map((part, index) => part + encodeValue(values[index]));
    const text = texts.join('');
    const areSound = values
      .flat()
      .every((value) => (value instanceof HostPath ? value.#isSound : isSegment(value)));
    return new HostPath(text, areSound && isKeptByBrowsers(text));
  }

  /**
   * The path as it is requested.
   * @throws {InvalidPathError} if a segment is empty, `.` or `..`, or is not well-formed Unicode
   */
  get address(): string {
    if (!this.#isSound) throw new InvalidPathError();
    return this.#text;
  }

  /** The path's text, for uses other than requests. Never throws. */
  toString(): string {
    return this.#text;
  }
}

/**
 * Builds a path: `` hostPath`/sites/${siteId}/pages` ``. Each value becomes one segment, a list of
 * values becomes as many segments, and a `HostPath` stays as it is.
 */
export const hostPath = (parts: TemplateStringsArray, ...values: PathValue[]) =>
  HostPath.of(parts, ...values);

/** @param slug the page's path on the site, such as `/about` */
export const pagePath = (slug: string) =>
  slug === '/' ? hostPath`/` : hostPath`/${slug.slice(1).split('/')}`;

/** @param value undefined after the template's last part, which no value follows */
function encodeValue(value: PathValue = []): string {
  if (value instanceof HostPath) return value.toString();
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
const isKeptByBrowsers = (text: string) =>
  /^\/(?!\/)/.test(text) && !text.split('/').some((segment) => /^\.{1,2}$/.test(segment));

/** Decodes a part of a URL for people. Returns it unchanged if it can't be decoded. */
export function decodeForPeople(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
