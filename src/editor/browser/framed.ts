// Runs inside the framed page, in an opaque origin. Makes the marked texts editable, and reports to
// the editor.

import type { FrameCommand, FrameGreeting, FrameReport, LabelledText } from '../protocol.ts';

const { attribute = '', digest = '' } = (document.currentScript?.dataset ?? {}) as {
  attribute?: string;
  digest?: string;
};
const selector = `[${attribute}]`;
/** By text id: the elements that hold its texts between marks. */
const hosts = new Map<string, (HTMLElement | undefined)[]>();
const { port1: editor, port2: editorsEnd } = new MessageChannel();

/** Options of a listener that runs before any listener of the page. */
const early = { capture: true };

const report = (message: FrameReport) => editor.postMessage(message);

const allHosts = () =>
  [...document.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);

function placeOf(host: HTMLElement) {
  const [id = '', index] = (host.getAttribute(attribute) ?? '').split(' ');
  return { id, index: Number(index) };
}

const hostsOf = (id: string) => (hosts.get(id) ?? []).filter((host) => host !== undefined);

const collapse = (text: string) => text.replace(/[ \t\n\f\r]+/g, ' ');

function contentOf(host: HTMLElement) {
  const range = document.createRange();
  range.selectNodeContents(host);
  return range;
}

/** An element's text. Browsers end lines with `<br>`, even in plain text. */
function textOf(host: HTMLElement) {
  const copy = contentOf(host).cloneContents();
  for (const end of copy.querySelectorAll('br')) end.replaceWith('\n');
  return copy.textContent ?? '';
}

const isEmpty = (host: HTMLElement) => (host.textContent ?? '').trim() === '';

const keepsLines = (host: HTMLElement) => host.closest('pre, listing') !== null;

function collect() {
  for (const host of allHosts()) {
    const { id, index } = placeOf(host);
    const all = hosts.get(id) ?? [];
    all[index] = host;
    hosts.set(id, all);
  }
}

function quiet() {
  const focusable = 'a, area, button, input, select, textarea, summary, [tabindex], audio, video';
  for (const element of document.querySelectorAll<HTMLElement>(focusable)) element.tabIndex = -1;
  for (const element of document.querySelectorAll('details')) element.open = true;
  for (const link of document.querySelectorAll<HTMLElement>('a, img')) link.draggable = false;
}

function makeEditable({ id, texts, label }: LabelledText) {
  const all = hostsOf(id);
  const [first] = all;
  if (!first || all.length !== texts.length || hosts.get(id)?.length !== texts.length)
    return void hosts.delete(id);
  for (const [index, host] of all.entries()) {
    // Plain-text editing shows all white space, so white space that readers do not see is removed
    // first.
    if (getComputedStyle(host).whiteSpaceCollapse === 'collapse') show(host, texts[index] ?? '');
    host.contentEditable = 'plaintext-only';
    host.setAttribute('role', 'textbox');
    host.setAttribute(
      'aria-label',
      texts.length === 1 ? label : `${label}, part ${index + 1} of ${texts.length}`,
    );
    host.spellcheck = false;
    host.tabIndex = -1;
  }
  (all.find((host) => !isEmpty(host)) ?? first).tabIndex = 0;
}

/** Sets the text only if it differs, because setting it loses the caret. */
function show(host: HTMLElement, text: string) {
  if (textOf(host) !== text) host.textContent = text;
}

function mark(id: string, isChanged: boolean) {
  for (const host of hostsOf(id)) host.toggleAttribute(`${attribute}-changed`, isChanged);
}

function hostOf({ target }: Event) {
  const host = target instanceof Element ? target.closest(selector) : null;
  return host instanceof HTMLElement ? host : undefined;
}

function onInput(event: Event) {
  const host = hostOf(event);
  if (!host) return;
  if (isEmpty(host)) host.replaceChildren();
  const { id } = placeOf(host);
  report({ type: 'edit', id, texts: hostsOf(id).map(textOf) });
}

function onKey(event: KeyboardEvent) {
  const host = hostOf(event);
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's')
    return then(event, () => report({ type: 'save' }));
  if (!host) return;
  if (event.key === 'Enter' && !keepsLines(host))
    return then(event, () => step(host, event.shiftKey ? -1 : 1));
  if (event.key === 'Escape') return then(event, () => report({ type: 'leave' }));
  if (event.key === ' ' && host.closest('button, summary')) return then(event, () => insert(' '));
  if (event.key === 'ArrowRight' && caret(host) === host.textContent?.length)
    moveWithin(event, host, 1);
  if (event.key === 'ArrowLeft' && caret(host) === 0) moveWithin(event, host, -1);
}

function then(event: Event, act: () => void) {
  event.preventDefault();
  act();
}

const insert = (text: string) => document.execCommand('insertText', false, text);

/** Moves to the next or previous text of the page. */
function step(host: HTMLElement, direction: 1 | -1) {
  const stops = allHosts().filter((other) => other.tabIndex === 0);
  const own = stops.findIndex((other) => placeOf(other).id === placeOf(host).id);
  stops[own + direction]?.focus();
}

/**
 * Moves the caret from one part of a text to the next, as if the text had no marks between them.
 */
function moveWithin(event: KeyboardEvent, host: HTMLElement, direction: 1 | -1) {
  const { id, index } = placeOf(host);
  const next = hosts.get(id)?.[index + direction];
  if (!next || event.shiftKey) return;
  event.preventDefault();
  next.focus();
  const selection = getSelection();
  selection?.selectAllChildren(next);
  if (direction > 0) selection?.collapseToStart();
  else selection?.collapseToEnd();
}

/** How many characters stand before the caret; undefined if there is none. */
function caret(host: HTMLElement): number | undefined {
  const selection = getSelection();
  if (!selection?.isCollapsed || !selection.focusNode) return undefined;
  const range = contentOf(host);
  range.setEnd(selection.focusNode, selection.focusOffset);
  return range.toString().length;
}

function onPaste(event: ClipboardEvent) {
  const host = hostOf(event);
  if (!host) return;
  event.preventDefault();
  const text = event.clipboardData?.getData('text/plain') ?? '';
  insert(keepsLines(host) ? text : collapse(text));
}

function onBeforeInput(event: InputEvent) {
  const host = hostOf(event);
  if (!host) return;
  const breaks = event.inputType === 'insertParagraph' || event.inputType === 'insertLineBreak';
  if ((breaks && !keepsLines(host)) || event.inputType === 'insertFromDrop') event.preventDefault();
}

function focus(id: string) {
  const host = hostsOf(id).find(({ tabIndex }) => tabIndex === 0);
  host?.scrollIntoView({ block: 'center' });
  host?.focus({ preventScroll: true });
}

function obey(command: FrameCommand) {
  if (command.type === 'texts') {
    for (const text of command.all) makeEditable(text);
    report({ type: 'editable', ids: [...hosts.keys()] });
  } else if (command.type === 'set') {
    for (const [index, host] of hostsOf(command.id).entries())
      show(host, command.texts[index] ?? '');
    mark(command.id, command.isChanged);
  } else if (command.type === 'changed') mark(command.id, command.isChanged);
  else focus(command.id);
}

function connect() {
  collect();
  quiet();
  editor.onmessage = ({ data }: MessageEvent<FrameCommand>) => obey(data);
  const greeting: FrameGreeting = { type: 'agent-editor-frame', digest };
  parent.postMessage(greeting, '*', [editorsEnd]);
  document.addEventListener('input', onInput, early);
  document.addEventListener('keydown', onKey, early);
  document.addEventListener('paste', onPaste, early);
  document.addEventListener('beforeinput', onBeforeInput, early);
}

for (const type of ['click', 'auxclick', 'submit', 'dragstart', 'drop'])
  document.addEventListener(type, (event) => event.preventDefault(), early);
document.addEventListener('DOMContentLoaded', connect, { once: true });
