// Finds and builds elements. A page's texts become text nodes and values only, never HTML.

type Properties<Name extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Name], 'dataset'>
> & {
  dataset?: Record<string, string>;
};

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties<Name> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  const { dataset = {}, ...others } = properties;
  Object.assign(element.dataset, dataset);
  Object.assign(element, others);
  element.append(...children);
  return element;
}

/**
 * The element of index.html with an id.
 * @throws if there is none of that kind
 */
function at<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind))
    throw new Error(`index.html has no ${kind.name} with the id ${id}`);
  return element;
}

/** The elements of index.html that scripts change or listen to. */
export const elements = {
  pages: at('pages', HTMLSelectElement),
  state: at('state', HTMLElement),
  preview: at('preview', HTMLAnchorElement),
  discard: at('discard', HTMLButtonElement),
  publish: at('publish', HTMLButtonElement),
  save: at('save', HTMLButtonElement),
  notice: at('notice', HTMLElement),
  noticeText: at('notice-text', HTMLElement),
  noticeClose: at('notice-close', HTMLButtonElement),
  stage: at('stage', HTMLElement),
  frame: at('frame', HTMLIFrameElement),
  texts: at('texts', HTMLElement),
  fields: at('fields', HTMLElement),
  published: at('published', HTMLElement),
  notes: at('notes', HTMLDetailsElement),
  notesCount: at('notes-count', HTMLElement),
  notesList: at('notes-list', HTMLElement),
  settled: at('settled', HTMLDetailsElement),
  settledCount: at('settled-count', HTMLElement),
  settledList: at('settled-list', HTMLElement),
  offeredPages: at('offered-pages', HTMLDataListElement),
  offeredImages: at('offered-images', HTMLDataListElement),
  sourceNote: at('source-note', HTMLElement),
  code: at('code', HTMLTextAreaElement),
  gate: at('gate', HTMLElement),
  gateTitle: at('gate-title', HTMLElement),
  gateText: at('gate-text', HTMLElement),
  gateEnter: at('gate-enter', HTMLElement),
  signIn: at('sign-in', HTMLAnchorElement),
  gateKey: at('gate-key', HTMLElement),
  gateCode: at('gate-code', HTMLElement),
};

export const viewButtons = document.querySelectorAll<HTMLButtonElement>('button[data-shows]');
