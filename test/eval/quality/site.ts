import { HTMLElement, parse } from 'node-html-parser';

export type Files = Record<string, string>;

/**
 * A site as its visitors have it: for the questions of the cases. Parsed by another parser than the
 * service's.
 */
export class VisitedSite {
  readonly files: Files;
  private readonly parsed = new Map<string, HTMLElement>();

  constructor(files: Files) {
    this.files = files;
  }

  has = (path: string) => path in this.files;
  paths = () => Object.keys(this.files);

  all(path: string, selector: string): HTMLElement[] {
    const page = this.parsed.get(path) ?? parse(this.files[path] ?? '', { comment: true });
    this.parsed.set(path, page);
    return page.querySelectorAll(selector);
  }

  /** What a reader sees of the first element, or of the whole page. */
  text = (path: string, selector?: string) =>
    oneLine(
      (selector === undefined ? this.whole(path) : this.all(path, selector)[0])?.structuredText ??
        '',
    );
  /**
   * The body; all of a page whose body this parser does not find, because an element before it is
   * not closed.
   */
  private whole = (path: string) => this.all(path, 'body')[0] ?? this.parsed.get(path);
  texts = (path: string, selector: string) =>
    this.all(path, selector).map((element) => oneLine(element.structuredText));
  attribute = (path: string, selector: string, name: string) =>
    this.all(path, selector).map((element) => element.getAttribute(name) ?? '');
  /** Pages on which a reader sees a text. */
  pagesWith = (text: string) =>
    this.paths().filter((path) => path.endsWith('.html') && this.text(path).includes(text));
  /** Values of `application/ld+json`, as one text. */
  data = (path: string) =>
    this.all(path, 'script[type="application/ld+json"]')
      .map(({ rawText }) => rawText)
      .join('\n');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/**
 * A page without its texts: its elements and their attributes, but for those that hold texts and
 * addresses.
 */
export function skeletonOf(source: string): string[] {
  const found: string[] = [];
  const walk = (element: HTMLElement) => {
    found.push(`${element.rawTagName ?? ''}.${element.getAttribute?.('class') ?? ''}`);
    for (const child of element.childNodes) if (child instanceof HTMLElement) walk(child);
  };
  walk(parse(source));
  return found;
}
